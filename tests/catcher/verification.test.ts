// Tests of the verification of caught requests through HTTP: counts, near misses and waiting.
import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { ask } from './ask.ts'

const space = () => {
  const name = crypto.randomUUID()
  const send = (path: string, init: RequestInit = {}) =>
    exports.default.fetch(`http://catcher.example${path}`, { ...init, headers: { 'x-catcher-space': name } })
  const verify = async (params: object) =>
    (await ask('POST', '/_requests_/verify', { space: name, ...params })).json.content as Record<string, unknown>
  return { name, send, verify }
}

it('counts the requests that match', async () => {
  const { name, send, verify } = space()
  for (const n of [1, 2, 2]) await send(`/orders/${n}`, { method: 'POST', body: JSON.stringify({ n, more: true }) })
  await send('/other')
  const match = { path: '/orders/:id', json: { n: 2 } }
  expect(await verify({ match })).toEqual({ count: 2, ok: true, nearest: [] })
  expect(await verify({})).toEqual({ count: 4, ok: true, nearest: [] })
  expect(await verify({ match, at_least: 2, at_most: 2 })).toMatchObject({ ok: true })
  expect(await verify({ match, at_most: 1 })).toEqual({ count: 2, ok: false, nearest: [] })
  expect(await verify({ match, at_least: 3 })).toMatchObject({ count: 2, ok: false })
  expect(await verify({ match: { path: '/none' }, at_most: 0 })).toEqual({ count: 0, ok: true, nearest: [] })
  const { json } = await ask('GET', '/_requests_/verify', { space: name, match: JSON.stringify(match), at_most: 5 })
  expect(json.content).toEqual({ count: 2, ok: true, nearest: [] })
})

it('shows the most similar requests, and how they differ', async () => {
  const { send, verify } = space()
  await send('/favicon.ico')
  await send('/orders/7/items?urgent=0', { method: 'POST', body: '{"n": 1}' })
  await send('/orders/7/item?urgent=1', { method: 'POST', body: '{"n": 2}' })
  await send('/orders/7/items', { method: 'PUT', body: 'text' })
  await send('/')
  const match = { method: 'POST', path: '/orders/:id/items', query: { urgent: '1' }, json: { n: 2 } }
  const { nearest, ...rest } = await verify({ match })
  expect(rest).toEqual({ count: 0, ok: false })
  const created_at = expect.any(String)
  expect(nearest).toEqual([
    {
      request: { id: 3, method: 'post', path: '/orders/7/item', created_at },
      differences: [{ field: 'path', expected: '/orders/:id/items', actual: '/orders/7/item' }],
    },
    {
      request: { id: 2, method: 'post', path: '/orders/7/items', created_at },
      differences: [
        { field: 'query.urgent', expected: '1', actual: '0' },
        { field: 'json.n', expected: '2', actual: '1' },
      ],
    },
    {
      request: { id: 4, method: 'put', path: '/orders/7/items', created_at },
      differences: [
        { field: 'method', expected: 'post', actual: 'put' },
        { field: 'query.urgent', expected: '1', actual: null },
        { field: 'json', expected: '{"n":2}', actual: null },
      ],
    },
  ])
})

it('waits until enough requests match', async () => {
  const { name, send, verify } = space()
  await send('/a')
  const verified = verify({ match: { path: '/a' }, at_least: 3, wait: 60 })
  const [first] = await Promise.all([
    ask('GET', '/_last_request_', { space: name, path: '/a', wait: 60 }),
    ...['/a', '/b', '/b', '/a', '/c'].map((path) => send(path)),
  ])
  expect(first.json).toMatchObject({ path: '/a' })
  expect(await verified).toEqual({ count: 3, ok: true, nearest: [] })
})

it('ends waiting after its time', async () => {
  const { verify } = space()
  expect(await verify({ wait: 0.05 })).toEqual({ count: 0, ok: false, nearest: [] })
})

it.each([
  [{ at_least: 2, at_most: 1 }, 'at_most'],
  [{ at_least: -1 }, 'at_least'],
  [{ at_most: 1_001 }, 'at_most'],
  [{ wait: 61 }, 'wait'],
  [{ match: { json: 1, pth: '/' } }, 'match.pth'],
  [{ match: 'text' }, 'match'],
])('refuses to verify %j', async (params, field) => {
  const { status, json } = await ask('POST', '/_requests_/verify', params)
  expect([status, Object.keys(json.errors ?? {})]).toEqual([400, [field]])
})
