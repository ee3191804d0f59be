// Tests of the conditions of stubs and verifications, and of the differences of requests that do not fulfil them.
import { expect, it } from 'vitest'
import type { RequestMatch } from '#catcher/contract/stubs'
import { RequestFacts } from '#catcher/request-facts'
import { RequestMatcher } from '#catcher/request-matcher'

const request = (
  body = '{"order": {"id": 7, "lines": [{"sku": "a", "n": 1}]}, "big": 12345678901234567890, "none": null}',
) => {
  const bytes = Uint8Array.from(new TextEncoder().encode(body))
  return new RequestFacts({
    method: 'post',
    host: 'a.example',
    port: 80,
    path: '/orders/a%20b/items',
    query: 'urgent=1&tag=x&tag=y&empty=',
    headers: JSON.stringify({ 'content-type': 'application/json; charset=utf-8', accept: '*/*', 'x-a': 'b' }),
    body: bytes,
    body_size: bytes.length,
  })
}

const json = (value: unknown): RequestMatch => ({ json: JSON.stringify(value) })

const fields = (match: RequestMatch, facts = request()) =>
  new RequestMatcher(match).compare(facts).differences.map(({ field }) => field)

it.each<[RequestMatch]>([
  [{}],
  [{ method: 'post' }],
  [{ path: '/orders/:id/items' }],
  [{ path: '/orders/*' }],
  [{ path: '*' }],
  [{ query: { urgent: '1' } }],
  [{ query: { urgent: true, other: false } }],
  [{ query: { tag: 'y' } }],
  [{ query: { tag: ['x', 'y'] } }],
  [{ query: { empty: '' } }],
  [{ headers: { 'Content-Type': 'application/json*', 'X-A': true, 'x-b': false } }],
  [{ headers: { accept: '*/*' } }],
  [json({})],
  [json({ order: { id: 7 } })],
  [json({ order: { id: 7.0, lines: [{ sku: 'a' }] } })],
  [json({ none: null })],
  [{ json: '{"big": 12345678901234567890}' }],
])('matches %j', (match) => {
  expect(fields(match)).toEqual([])
  expect(new RequestMatcher(match).matches(request())).toBe(true)
})

it.each<[RequestMatch, string[]]>([
  [{ method: 'get', path: '/b', query: { urgent: '2' } }, ['method', 'path', 'query.urgent']],
  [{ path: '/orders/:id' }, ['path']],
  [{ query: { urgent: false, other: true } }, ['query.urgent', 'query.other']],
  [{ query: { tag: ['y', 'x'] } }, ['query.tag']],
  [{ query: { tag: ['x'] } }, ['query.tag']],
  [{ headers: { 'X-A': 'c', 'x-b': true } }, ['headers.x-a', 'headers.x-b']],
  [{ headers: { constructor: true } }, ['headers.constructor']],
  [json([]), ['json']],
  [json({ order: { id: '7', lines: [] } }), ['json.order.id', 'json.order.lines']],
  [json({ order: { lines: [{ sku: 'b' }] }, none: 0 }), ['json.order.lines.0.sku', 'json.none']],
  [json({ toString: {} }), ['json.toString']],
  [{ json: '{"big": 12345678901234567891}' }, ['json.big']],
])('finds the differences of %j', (match, expected) => {
  expect(fields(match)).toEqual(expected)
  expect(new RequestMatcher(match).matches(request())).toBe(false)
})

it('shows expected and actual values, shortened', () => {
  const { differences } = new RequestMatcher({
    method: 'get',
    query: { tag: 'z', gone: true },
    json: JSON.stringify({ order: 'x'.repeat(300) }),
  }).compare(request())
  expect(differences).toEqual([
    { field: 'method', expected: 'get', actual: 'post' },
    { field: 'query.tag', expected: 'z', actual: '["x","y"]' },
    { field: 'query.gone', expected: 'any value', actual: null },
    { field: 'json.order', expected: `"${'x'.repeat(199)}`, actual: '{"id":7,"lines":[{"sku":"a","n":1}]}' },
  ])
})

it('matches no JSON in a body that is none, is truncated, or is nested too deep', () => {
  for (const body of ['', 'text', '[1', `${'['.repeat(200)}${']'.repeat(200)}`])
    expect(fields(json({}), request(body))).toEqual(['json'])
  const truncated = request('{}')
  expect(fields(json({}), new RequestFacts({ ...truncated.request, body_size: 9 }))).toEqual(['json'])
})

it('has the variables of the path, decoded', () => {
  const params = (path: string) => new RequestMatcher({ path }).paramsOf(request())
  expect(params('/orders/:id/*')).toEqual({ id: 'a b', 0: 'items' })
  expect(params('/other')).toEqual({})
})

it('takes the path of a canned reply literally', () => {
  const matches = (path: string, actual: string) =>
    new RequestMatcher({ path }, { isLiteral: true }).matches(new RequestFacts({ ...request().request, path: actual }))
  expect(matches('/a(b', '/a(b')).toBe(true)
  expect(matches('/:a', '/x')).toBe(false)
  expect(matches('/a/../b', '/b')).toBe(false)
  expect(matches('/a*', '/ab')).toBe(true)
})
