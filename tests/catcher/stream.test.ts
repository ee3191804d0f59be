// Tests of the stream of caught requests (server-sent events), and of the live page.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'

const send = (path: string, space: string) =>
  exports.default.fetch(`http://catcher.example${path}`, { method: 'POST', headers: { 'x-catcher-space': space } })

async function follow(space: string, query = '', headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`http://catcher.example/_requests_/stream?space=${space}${query}`, {
    headers,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (wanted: string) => {
    while (!text.includes(wanted)) text += (await reader.read()).value
    return text
  }
  return { response, until, leave: () => reader.cancel() }
}

describe('the stream', () => {
  it('sends new requests', async () => {
    const space = crypto.randomUUID()
    await send('/before', space)
    const { response, until, leave } = await follow(space)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await until(': listening')
    await send('/now?a=1', space)
    const text = await until('/now')
    expect(text).not.toContain('/before')
    const [, data] = text.match(/event: request\nid: 2\ndata: (.*)\n\n/)!
    expect(JSON.parse(data!)).toEqual({
      id: 2,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      method: 'post',
      path: '/now',
      query: 'a=1',
      body_size: 0,
    })
    await leave()
  })

  it('resumes after the last event id of a client', async () => {
    const space = crypto.randomUUID()
    for (const path of ['/a', '/b', '/c']) await send(path, space)
    const all = await follow(space, '&last_event_id=0')
    const text = await all.until('/c')
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '2', '3'])
    await all.leave()
    const rest = await follow(space, '&last_event_id=0', { 'last-event-id': '2' })
    expect(await rest.until('/c')).not.toContain('/b')
    await send('/d', space)
    await rest.until('/d')
    await rest.leave()
  })

  it('sends an event when all requests are deleted, and continues', async () => {
    const space = crypto.randomUUID()
    const { until, leave } = await follow(space)
    await until(': listening')
    await send('/a', space)
    await ask('DELETE', '/_requests_', { space })
    await until('event: cleared\nid: \n')
    await send('/b', space)
    await until('/b')
    await leave()
  })

  it('sends requests to all listeners of the space, and to no others', async () => {
    const [space, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const [one, two, apart] = await Promise.all([follow(space), follow(space), follow(other)])
    await Promise.all([one, two, apart].map(({ until }) => until(': listening')))
    await send('/here', space)
    await send('/there', other)
    await Promise.all([one.until('/here'), two.until('/here')])
    expect(await apart.until('/there')).not.toContain('/here')
    await Promise.all([one, two, apart].map(({ leave }) => leave()))
  })

  it('does not affect catching when its listeners disconnect', async () => {
    const space = crypto.randomUUID()
    for (let n = 0; n < 10; n++) {
      const { until, leave } = await follow(space)
      await until(': listening')
      const left = leave()
      expect((await send('/a', space)).status).toBe(200)
      await left
    }
    expect((await send('/b', space)).status).toBe(200)
  })
})

it('redirects from the link to the console to the list, where the console is off', async () => {
  const open = async (query: string) => {
    const url = `http://a.example/_requests_/ui${query}`
    const { status, headers } = await exports.default.fetch(url, { redirect: 'manual' })
    return [status, new URL(headers.get('location')!, 'http://a.example/catcher/_requests_/ui').href]
  }
  expect(await open('')).toEqual([302, 'http://a.example/catcher/_requests_'])
  expect(await open('?space=a.b')).toEqual([302, 'http://a.example/catcher/_requests_?space=a.b'])
})
