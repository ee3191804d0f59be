import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { api, type CoreEnv } from '#core/http/api'
import type { Description } from '#core/http/openapi'

const calls: string[] = []

const people = api<CoreEnv>({ name: 'people', title: 'People', description: 'Has people.' })
  .getOrPost(
    '/person',
    {
      summary: 'Find a person',
      description: 'Counts each search.',
      params: z.object({ phone: z.string().min(3), limit: z.int().optional() }),
      reply: { phone: z.string() },
      unsafe: true,
      consumes: true,
    },
    ({ params: { phone } }) => {
      calls.push(phone)
      return { phone }
    },
  )
  .post('/block', { summary: 'Block a phone', params: z.object({ phone: z.string() }) }, () => undefined)
  .getOrPost(
    '/block',
    { postPath: '/block/search', summary: 'Find a block', params: z.object({ phone: z.string() }) },
    () => undefined,
  )

const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await people.fetch(new Request(`http://host${path}`, init), { OPEN: 'true' }, createExecutionContext()) // biome-ignore format: one line
  const text = await response.text()
  const { request_id: _, ...json } = JSON.parse(text)
  return { status: response.status, allow: response.headers.get('allow'), json }
}

describe('a GET with a POST', () => {
  it('has one handler and one reply', async () => {
    calls.length = 0
    const found = await send('GET', '/person?phone=123&limit=1')
    expect(found).toMatchObject({ status: 200, json: { status: true, content: { phone: '123' } } })
    expect(await send('POST', '/person', { phone: '123', limit: 1 })).toEqual(found)
    expect(calls).toEqual(['123', '123'])
  })

  it('refuses the same parameters, and warns of the same unknown ones', async () => {
    const refused = await send('GET', '/person?phone=1')
    expect(refused).toMatchObject({ status: 400, json: { errors: { phone: expect.any(String) } } })
    expect(await send('POST', '/person', { phone: '1' })).toEqual(refused)
    const warned = await send('GET', '/person?phone=123&limt=1')
    expect(warned.json.warnings).toHaveLength(1)
    expect(await send('POST', '/person', { phone: '123', limt: 1 })).toEqual(warned)
  })

  it('may have the POST at another path', async () => {
    expect((await send('POST', '/block/search', { phone: '1' })).status).toBe(200)
    expect((await send('GET', '/block?phone=1')).status).toBe(200)
    expect(await send('GET', '/block/search?phone=1')).toMatchObject({ status: 405, allow: 'POST' })
    expect(await send('PUT', '/person')).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' })
  })

  it('is refused for pages of other sites', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const method of ['GET', 'POST'])
      expect((await send(method, '/person?phone=123', undefined, foreign)).json).toMatchObject({
        status_code: 'cross_site_request',
      })
  })

  it('describes both forms, each with a reference to the other', async () => {
    const { paths } = (await send('GET', '/_openapi.json')).json as Description
    const { get, post } = paths['/person']!
    expect(get!.description).toMatch(/^Counts each search\. .*`POST \/person`/)
    expect(post!.description).toMatch(/^Counts each search\. .*`GET \/person`/)
    expect(get!.parameters.map(({ name }) => name)).toEqual(['phone', 'limit'])
    expect(post!.parameters).toEqual([])
    expect(post!.requestBody).toMatchObject({ required: true })
    expect(post!.responses['200']).toEqual(get!.responses['200'])
    expect(paths['/block']!.get!.description).toContain('`POST /block/search`')
    expect(Object.keys(paths['/block/search']!)).toEqual(['post'])
  })

  it('has both forms in the types of the calls', () => {
    type Calls = NonNullable<(typeof people)['calls']>
    expectTypeOf<keyof Calls>().toEqualTypeOf<
      'GET /person' | 'POST /person' | 'POST /block' | 'GET /block' | 'POST /block/search'
    >()
    expectTypeOf<Calls['POST /person']>().toEqualTypeOf<Calls['GET /person']>()
  })
})
