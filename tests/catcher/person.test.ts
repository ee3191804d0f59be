import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#catcher/bindings'
import { captureRequest } from '#catcher/capture'
import { personalData } from '#catcher/person'
import { spaceNamed } from '#catcher/spaces'
import { personsIn } from '../support/person.ts'

const bound = env as unknown as Env

const request = (body: string, query = '') => ({
  ...{ method: 'post', host: 'localhost', port: 80, path: '/', query, headers: '{}' },
  ...{ body: new TextEncoder().encode(body), body_size: null },
})

it('erases and exports requests that mention the person, also in the spaces of unauthenticated clients', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const user = crypto.randomUUID()
  const strange = `strange-${user}`
  const common = spaceNamed(bound, 'default')
  for (let n = 0; n < 45; n++) await common.capture(request(JSON.stringify({ user, n })) as never)
  await common.capture(request('', `user=${user}`) as never)
  await common.capture(request(JSON.stringify({ user: 'other', text: user })) as never)
  await spaceNamed(bound, strange).capture(request(`user=${user}`) as never, { space: strange, address: '10.0.0.1' })

  const { id } = (await common.capture(request('{}') as never)) ?? (await common.last({}, 0))!
  const answered = Uint8Array.from(new TextEncoder().encode(JSON.stringify({ user })))
  const recorded = { status: 200, headers: {}, body: answered, body_size: answered.length, duration_ms: 1, error: null }
  await common.recordResponse(id, recorded)

  expect(await read({ user })).toHaveLength(48)
  expect(await erase({ user })).toEqual({ requests: 48 })

  expect(await read({ user })).toEqual([])
  const { rows } = await common.list({} as never, 100, 0)
  expect(rows.filter(({ body }) => new TextDecoder().decode(body).includes(user))).toHaveLength(1)
})

it('finds requests of clients with credentials in their named spaces', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const user = crypto.randomUUID()
  const spaces = ['a', 'b'].map((prefix) => `${prefix}-${user}`)
  for (const space of spaces) {
    const headers = { 'x-catcher-space': space, authorization: 'Bearer right' }
    const body = JSON.stringify({ user })
    const sent = new Request('http://catcher.localhost/orders', { method: 'POST', headers, body })
    expect((await captureRequest({ ...bound, AUTH_TOKENS: 'right' }, sent, createExecutionContext())).status).toBe(200)
  }

  expect((await read({ user })).map(({ row }) => row.space)).toEqual(spaces)
  expect(await erase({ user })).toEqual({ requests: 2 })

  expect(await read({ user })).toEqual([])
})

it('finds an email address in a header', async () => {
  const { erase, read } = personsIn(personalData, bound)
  const email = `${crypto.randomUUID()}@example.com`
  const received = { ...request('{}'), headers: JSON.stringify({ from: `Ann <${email}>` }) }
  await spaceNamed(bound, 'default').capture(received as never)

  const [found] = await read({ email })
  expect(found!.row).not.toHaveProperty('headers')
  expect(await erase({ email })).toEqual({ requests: 1 })
})
