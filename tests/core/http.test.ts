// Tests the HTTP layer of core with a small component: parameters, replies, access, CORS, health and idempotency keys.
import { env, exports } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { peer } from '#core/outgoing/peer'
import type { CoreApi } from './worker/index.ts'
import worker from './worker/index.ts'

interface RequestParts {
  query?: string
  body?: BodyInit | object
  headers?: Record<string, string>
}

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype

const send = (method: string, path: string, { query = '', body, headers = {} }: RequestParts = {}) =>
  exports.default.fetch(`http://core${path}${query && `?${query}`}`, {
    method,
    headers,
    ...(body !== undefined && { body: isPlain(body) ? JSON.stringify(body) : body }),
  })

const jsonOf = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, never>>

/** The component with other variables. */
const configured = (vars: Record<string, string>) => ({
  fetch: (path: string, init?: RequestInit) =>
    new worker(
      { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
      { ...env, LOCAL: 'false', ...vars } as never,
    ).fetch(new Request(`http://core${path}`, init)),
})

describe('parameters', () => {
  it('converts texts of the query to the types of the parameters', async () => {
    const query =
      'name=a&number=10&sum=1.5&flag=1&tags=a,b&phones=1,2&object={"a":{}}&data=[1]&at=2026-01-31&nested={"depth":"3"}&unknown=x'
    expect(await jsonOf(send('GET', '/kinds', { query }))).toEqual({
      status: true,
      warnings: [{ parameter: 'unknown', message: 'Unknown parameter "unknown".' }],
      content: {
        name: 'a',
        number: 10,
        sum: 1.5,
        flag: true,
        tags: ['a', 'b'],
        phones: '1,2',
        object: { a: {} },
        data: [1],
        at: '2026-01-31 00:00:00',
        nested: { depth: 3 },
      },
    })
    expect(
      await jsonOf(send('GET', '/kinds', { query: 'name=a&tags[]=a,b&flag=false&phones=["1,2","3"]' })),
    ).toMatchObject({
      content: { tags: ['a,b'], flag: false, phones: ['1,2', '3'] },
    })
    const either = `name=a&phones=${encodeURIComponent('{"1":2}')}&texts=${encodeURIComponent(' {"en":"a"}')}`
    expect(await jsonOf(send('GET', '/kinds', { query: either }))).toMatchObject({
      content: { phones: '{"1":2}', texts: { en: 'a' } },
    })
    expect(await jsonOf(send('GET', '/kinds', { query: 'name=a&texts={{ a }}' }))).toMatchObject({
      content: { texts: '{{ a }}' },
    })
  })

  it('reads the body regardless of its Content-Type, with precedence over the query, also for DELETE', async () => {
    const headers = { 'content-type': 'text/plain' }
    for (const method of ['POST', 'DELETE']) {
      const reply = await jsonOf(
        send(method, '/kinds', { query: 'name=query&note=query', body: { name: 'body', number: '7' }, headers }),
      )
      expect(reply).toEqual({ status: true, content: { name: 'body', note: 'query', number: 7 } })
    }
  })

  it('does not let a body override a variable of the path', async () => {
    expect(await jsonOf(send('PATCH', '/item/5', { query: 'id=6', body: { id: 7, name: 'a' } }))).toMatchObject({
      content: { id: 5 },
    })
  })

  it('converts no JSON values except integers as strings', async () => {
    const errorsOf = async (body: object) => (await jsonOf(send('POST', '/kinds', { body }))).errors
    expect(await errorsOf({ name: 1, flag: 'true', sum: '1.5', tags: 'a', number: '1.5' })).toEqual({
      name: expect.any(String),
      flag: expect.any(String),
      sum: expect.any(String),
      tags: expect.any(String),
      number: expect.any(String),
    })
    expect(await errorsOf({ name: 'x'.repeat(11), number: 1_001, nested: { depth: 1, more: 1 } })).toMatchObject({
      name: expect.any(String),
      number: expect.any(String),
      'nested.more': 'Unknown parameter "more".',
    })
  })

  it('treats null and an empty required string as missing', async () => {
    for (const body of [{}, { name: null }, { name: '' }]) {
      expect(await jsonOf(send('POST', '/kinds', { body }))).toMatchObject({
        status_code: 'validation_failed',
        errors: { name: 'name is required.' },
      })
    }
    const body = { name: '0', note: '', number: null, data: null }
    expect(await jsonOf(send('POST', '/kinds', { body }))).toEqual({
      status: true,
      content: { name: '0', note: '', data: null },
    })
  })

  it('does not accept a number that a double cannot hold as an object', async () => {
    for (const number of ['1.0', '1e5', '-0', '12345678901234567890']) {
      const response = await send('POST', '/kinds', { body: `{"name":"a","object":${number},"nested":${number}}` })
      expect(await response.json()).toMatchObject({
        errors: { object: 'object must be a JSON object.', nested: expect.any(String) },
      })
    }
  })

  it('keeps the digits of numbers in nested data', async () => {
    const data = '{"big":12345678901234567890,"exact":1.0,"exp":1e5,"text":"1.0 \\u0000","empty":{},"__proto__":1}'
    const response = await send('POST', '/kinds', { body: `{"name":"a","number":1.0,"data":${data},"object":${data}}` })
    expect(await response.text()).toBe(
      `{"status":true,"content":{"name":"a","number":1,"object":${data},"data":${data}}}`,
    )
  })

  it.each([
    ['no JSON', '{"name":', 'invalid_json'],
    ['an array', '[]', 'invalid_json'],
    ['null', 'null', 'invalid_json'],
    ['a number', '1', 'invalid_json'],
    ['another charset', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'invalid_json'],
    ['too many levels', `{"name":"a","data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'invalid_json'],
    ['NUL', '{"name":"a\\u0000"}', 'validation_failed'],
    ['half a character', '{"name":"\\ud800"}', 'validation_failed'],
  ])('are refused as %s', async (_, body, code) => {
    const response = await send('POST', '/kinds', { body })
    expect([response.status, ((await response.json()) as { status_code: string }).status_code]).toEqual([400, code])
  })

  it('accepts characters of four bytes', async () => {
    expect(await jsonOf(send('POST', '/kinds', { body: { name: '😀' } }))).toMatchObject({ content: { name: '😀' } })
  })

  it('reads a form if the endpoint accepts one', async () => {
    const form = new URLSearchParams({ a: '5' })
    expect(await jsonOf(send('POST', '/form', { body: form }))).toMatchObject({ content: { a: 5 } })
    expect((await send('POST', '/kinds', { body: form })).status).toBe(400)
  })

  it('counts list items and limits their number', async () => {
    expect(await jsonOf(send('GET', '/list', { query: 'count=true' }))).toEqual({
      status: true,
      content: { limit: 100, nb_results: 3 },
    })
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'count=maybe']) {
      expect((await send('GET', '/list', { query })).status).toBe(400)
    }
  })

  it.each([
    ['2026-01-31 12:00:00', '2026-01-31 12:00:00'],
    ['2026-01-31', '2026-01-31 00:00:00'],
    ['2026-01-31T12:00:00Z', '2026-01-31 12:00:00'],
    ['2026-01-31T12:00:00.5+05:00', '2026-01-31 07:00:00'],
    ['2024-02-29', '2024-02-29 00:00:00'],
  ])('read the time %s', async (at, shown) => {
    expect(await jsonOf(send('POST', '/kinds', { body: { name: 'a', at } }))).toMatchObject({ content: { at: shown } })
  })

  it.each([
    '2026-02-30',
    '2025-02-29',
    'yesterday',
    '1',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '0000-01-01',
    '9999-12-31T23:59:59-01:00',
    '+012026-01-01',
  ])('refuse the time %s', async (at) =>
    expect((await send('POST', '/kinds', { body: { name: 'a', at } })).status).toBe(400),
  )
})

describe('a reply', () => {
  it('has a content type, an envelope and a request id', async () => {
    const response = await send('POST', '/nothing', { headers: { 'x-request-id': 'mine-1' } })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('x-request-id')).toBe('mine-1')
    expect(await response.json()).toEqual({ status: true })
  })

  it('has a new id if that of the request is invalid', async () => {
    const response = await send('POST', '/nothing', { headers: { 'x-request-id': 'a b' } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('names the missing object', async () => {
    const response = await send('GET', '/missing')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      status: false,
      status_code: 'big_thing_not_found',
      message: 'There is no such big thing.',
      request_id: response.headers.get('x-request-id'),
      docs: '/_docs#error-big_thing_not_found',
    })
  })

  it('reveals nothing about a bug except the request id', async () => {
    const response = await send('GET', '/boom', { headers: { 'x-request-id': 'bug-1' } })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      status: false,
      status_code: 'internal_error',
      message: 'The request failed unexpectedly. The log has the details of request bug-1.',
      request_id: 'bug-1',
      docs: '/_docs#error-internal_error',
    })
  })

  it('is 404 for an unknown path and 405 for an unknown method', async () => {
    expect(await jsonOf(send('GET', '/nowhere'))).toMatchObject({ status_code: 'route_not_found' })
    const response = await send('PUT', '/kinds')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, DELETE'])
    expect(await response.json()).toMatchObject({ status_code: 'method_not_allowed' })
    expect((await send('POST', '/_health')).status).toBe(405)
  })

  it('refuses a body that is too large', async () => {
    const response = await send('POST', '/kinds', { body: `{"name":"${'x'.repeat(1_000_001)}"}` })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ status_code: 'payload_too_large' })
  })

  it('knows the public URL of the component', async () => {
    const body = { name: 'a' }
    const base = async (sent: RequestParts = {}) => (await jsonOf(send('PATCH', '/item/1', { body, ...sent }))).content
    expect(await base()).toEqual({ id: 1, base: 'http://core' })
    expect(await base({ headers: { 'x-forwarded-prefix': '/core' } })).toEqual({ id: 1, base: 'http://core/core' })
    expect(await base({ headers: { 'x-forwarded-prefix': '//evil.dev' } })).toEqual({ id: 1, base: 'http://core' })
    const patch = { method: 'PATCH', body: JSON.stringify(body) }
    const baseOf = async (BASE_URL: string) =>
      (await configured({ OPEN: 'true', BASE_URL }).fetch('/item/1', patch)).json()
    expect(await baseOf('https://api.dev/')).toMatchObject({ content: { base: 'https://api.dev/core' } })
    expect(await baseOf('https://{component}.dev')).toMatchObject({ content: { base: 'https://core.dev' } })
  })
})

describe('access', () => {
  const status = async (vars: Record<string, string>, path: string, authorization?: string) =>
    (await configured(vars).fetch(path, authorization ? { headers: { authorization } } : {})).status

  it('is refused to all if nothing is configured, except with OPEN=true', async () => {
    const response = await configured({}).fetch('/list')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await response.json()).toMatchObject({
      status_code: 'not_configured',
      message: expect.stringContaining('AUTH_TOKENS'),
    })
    expect(await status({ OPEN: 'true' }, '/list')).toBe(200)
    expect(await status({ LOCAL: 'true' }, '/list')).toBe(200)
    expect(await status({ HTTP_AUTH_USERNAME: 'ann' }, '/list')).toBe(503)
  })

  it('is given with any of the tokens, and with no other', async () => {
    const vars = { AUTH_TOKENS: 'one, two', LOCAL: 'true' }
    expect(await status(vars, '/list', 'Bearer one')).toBe(200)
    expect(await status(vars, '/list', 'bearer two')).toBe(200)
    for (const header of [undefined, 'Bearer three', 'Bearer ', 'Bearer one, two', 'Basic one', 'one', 'Bearer One'])
      expect(await status(vars, '/list', header)).toBe(401)
  })

  it('is given with the password, and with no other', async () => {
    const vars = { HTTP_AUTH_USERNAME: 'änn', HTTP_AUTH_PASSWORD: 'pä:ss' }
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    expect(await status(vars, '/list', basic('änn:pä:ss'))).toBe(200)
    expect(await status(vars, '/list', basic('änn:pass'))).toBe(401)
  })

  it('is asked for as a password only by a page that a person opens, and where one is configured', async () => {
    const [password, tokens] = [{ HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'pass' }, { AUTH_TOKENS: 'one' }]
    const challenge = async (vars: Record<string, string>, path: string, headers: Record<string, string>) =>
      (await configured(vars).fetch(path, { headers })).headers.get('www-authenticate')
    const basic = 'Basic realm="Quartermaster", charset="UTF-8"'
    const bearer = 'Bearer realm="Quartermaster"'
    const opened = { 'sec-fetch-mode': 'navigate' }
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    expect(await challenge(password, '/page', opened)).toBe(basic)
    expect(await challenge(password, '/page', html)).toBe(basic)
    expect(await challenge(password, '/page', { ...html, 'sec-fetch-mode': 'cors' })).toBe(bearer)
    expect(await challenge(password, '/page', {})).toBe(bearer)
    expect(await challenge(password, '/list', { ...html, ...opened })).toBe(bearer)
    expect(await challenge(tokens, '/page', opened)).toBe(bearer)
    expect(await challenge(tokens, '/list', { authorization: 'Bearer wrong' })).toBe(`${bearer}, error="invalid_token"`)
  })

  it('needs no credentials for open endpoints and with a valid proof', async () => {
    const vars = { AUTH_TOKENS: 'one' }
    expect(await status(vars, '/open')).toBe(200)
    expect(await status(vars, '/proof?secret=right')).toBe(200)
    expect(await status(vars, '/proof?secret=wrong')).toBe(401)
    expect(await status(vars, '/proof', 'Bearer one')).toBe(200)
    expect(await status({}, '/proof')).toBe(503)
  })
})

describe('an unknown parameter', () => {
  it('is ignored, with a warning next to the status', async () => {
    const sent = { method: 'POST', body: JSON.stringify({ name: 'a', nmae: 'b' }) }
    expect(await jsonOf(send('POST', '/kinds', { body: sent.body }))).toMatchObject({
      status: true,
      warnings: [{ parameter: 'nmae', message: 'Unknown parameter "nmae". Did you mean "name"?' }],
      content: { name: 'a' },
    })
    expect(await jsonOf(send('GET', '/list?limt=3&tags[]=a'))).toMatchObject({
      warnings: [{ parameter: 'limt' }, { parameter: 'tags' }],
    })
    expect(await jsonOf(send('GET', '/list?limit=3'))).not.toHaveProperty('warnings')
  })

  it('is shown up to the maximum length of a name', async () => {
    const query = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(100)}${i}=1`).join('&')
    const { warnings } = (await jsonOf(send('GET', `/list?${query}`))) as never as { warnings: { parameter: string }[] }
    expect(warnings).toHaveLength(20)
    expect(warnings[0]).toEqual({ parameter: 'x'.repeat(64), message: 'Unknown parameter.' })
  })
})

describe('a DELETE without parameters', () => {
  it('refuses any parameter: ignoring a selector would select everything', async () => {
    expect((await send('DELETE', '/all')).status).toBe(200)
    for (const sent of [{ query: 'nmae=x' }, { body: { nmae: 'x' } }]) {
      const response = await send('DELETE', '/all', sent)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { status_code: 'validation_failed', errors: { nmae: 'Unknown parameter "nmae".' } },
      ])
    }
  })
})

describe('the pages of every component', () => {
  it('reports the state, and the dependencies to callers with access', async () => {
    const health = async (vars: Record<string, string>, headers = {}) => {
      const response = await configured(vars).fetch('/_health', { headers })
      return [response.status, await response.json()]
    }
    expect(await health({ AUTH_TOKENS: 'one', DOWN: '1' })).toEqual([200, { status: true, content: { state: 'up' } }])
    const headers = { authorization: 'Bearer one' }
    const here = { state: 'up', latency_ms: expect.any(Number) }
    expect(await health({ AUTH_TOKENS: 'one' }, headers)).toEqual([
      200,
      { status: true, content: { state: 'up', dependencies: { here } } },
    ])
    expect(await health({ AUTH_TOKENS: 'one', DOWN: '1' }, headers)).toMatchObject([
      503,
      {
        status: false,
        status_code: 'unavailable',
        content: { state: 'down', dependencies: { here, there: { state: 'down' } } },
      },
    ])
  })

  it('serves an OpenAPI document', async () => {
    const description = await jsonOf(send('GET', '/_openapi.json'))
    expect(description).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://core' }],
      paths: {
        '/item/{id}': {
          patch: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] },
        },
        '/kinds': {
          get: {
            parameters: expect.arrayContaining([
              expect.objectContaining({ name: 'number', in: 'query', required: false }),
            ]),
          },
          post: {
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { required: ['name'], properties: { at: { type: 'string' }, object: { type: 'object' } } },
                },
              },
            },
          },
        },
        '/once': { post: { parameters: [{ name: 'Idempotency-Key', in: 'header' }] } },
        '/nothing': { post: { responses: { 201: {}, 401: {}, 403: {}, 413: {}, 500: {}, 503: {} } } },
        '/open': { get: { security: [] } },
      },
    })
  })

  it('serves a docs page without external files', async () => {
    const response = await send('GET', '/_docs')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await response.text()
    expect(page).toContain('curl -X POST http://core/kinds')
    expect(page).not.toMatch(/src=|<script/)
  })

  it('sends CORS headers only to configured origins', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.dev',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    }
    const without = { origin: 'https://app.dev', 'access-control-request-method': 'POST' }
    const none = await configured({ AUTH_TOKENS: 'one' }).fetch('/list', { method: 'OPTIONS', headers: without })
    expect([none.status, none.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const odd = { ...preflight.headers, 'access-control-request-headers': 'authorization, x-odd' }
    const unusual = await configured({ AUTH_TOKENS: 'one' }).fetch('/list', { method: 'OPTIONS', headers: odd })
    expect([unusual.status, unusual.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const allowed = await configured({ AUTH_TOKENS: 'one', CORS_ORIGINS: 'https://app.dev, https://b.dev' }).fetch(
      '/list',
      preflight,
    )
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.dev'])
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization')
    const refused = await configured({ AUTH_TOKENS: 'one', CORS_ORIGINS: 'https://app.dev' }).fetch('/list', {
      headers: { origin: 'https://app.dev' },
    })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.dev'])
    const other = await configured({ OPEN: 'true', CORS_ORIGINS: 'https://app.dev' }).fetch('/list', {
      headers: { origin: 'https://evil.dev' },
    })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    const any = await configured({ OPEN: 'true', CORS_ORIGINS: '*' }).fetch('/list', {
      headers: { origin: 'https://evil.dev' },
    })
    expect(any.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('an idempotency key', () => {
  const run = async (key: string, body: Record<string, string>) => {
    const response = await send('POST', '/once', { body, headers: { 'idempotency-key': key } })
    return [response.status, await response.json()] as const
  }

  it('returns the stored reply to a retry', async () => {
    const first = await run('a', { what: 'a' })
    expect(first).toEqual([200, { status: true, content: { runs: 1 } }])
    expect(await run('a', { what: 'a' })).toEqual(first)
    expect(await run('a2', { what: 'a' })).toEqual([200, { status: true, content: { runs: 2 } }])
  })

  it('is refused with another body, and if it is too long', async () => {
    await run('b', { what: 'b' })
    expect(await run('b', { what: 'c' })).toMatchObject([409, { status_code: 'idempotency_key_reused' }])
    expect(await run('x'.repeat(256), { what: 'b' })).toMatchObject([
      400,
      { errors: { 'Idempotency-Key': expect.any(String) } },
    ])
  })

  it('runs once if many retries arrive at a time', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => run('d', { what: 'd' })))
    expect(
      new Set(replies.map(([, reply]) => JSON.stringify(reply)).filter((reply) => reply.includes('runs'))),
    ).toEqual(new Set(['{"status":true,"content":{"runs":1}}']))
    for (const [status] of replies) expect([200, 409]).toContain(status)
    expect(await run('d', { what: 'd' })).toEqual([200, { status: true, content: { runs: 1 } }])
  })

  it('belongs to one path', async () => {
    const key = { 'idempotency-key': 'path' }
    await send('POST', '/once/1', { body: { what: 'p' }, headers: key })
    const other = await send('POST', '/once/2', { body: { what: 'p' }, headers: key })
    expect([other.status, await other.json()]).toMatchObject([409, { status_code: 'idempotency_key_reused' }])
  })

  it('runs again after an error without effect, and never after an unknown outcome', async () => {
    expect(await run('e', { what: 'e', fail: 'refusal' })).toMatchObject([409, { status_code: 'refused' }])
    expect(await run('e', { what: 'e' })).toMatchObject([200, { content: { runs: 2 } }])
    expect(await run('f', { what: 'f', fail: 'timeout' })).toMatchObject([504, {}])
    expect(await run('f', { what: 'f', fail: 'timeout' })).toMatchObject([504, { status_code: 'upstream_timeout' }])
    expect(await run('u', { what: 'u', fail: 'upstream' })).toMatchObject([502, {}])
    expect(await run('u', { what: 'u', fail: 'upstream' })).toMatchObject([502, { status_code: 'upstream_failed' }])
    expect(await run('v', { what: 'u' })).toMatchObject([200, { content: { runs: 2 } }])
    expect(await run('g', { what: 'g', fail: 'bug' })).toMatchObject([500, {}])
    expect(await run('g', { what: 'g', fail: 'bug' })).toMatchObject([504, { status_code: 'outcome_unknown' }])
    expect(await run('h', { what: 'f' })).toMatchObject([200, { content: { runs: 2 } }])
    expect(await run('i', { what: 'g' })).toMatchObject([200, { content: { runs: 2 } }])
  })
})

describe('an idempotency key with a point of no return', () => {
  const run = async (key: string, body: Record<string, string>) => {
    const response = await send('POST', '/committed', { body, headers: { 'idempotency-key': `commit-${key}` } })
    return [response.status, await response.json()] as const
  }

  it.each(['upstream', 'early', 'undone'])('runs again if there was no effect: %s', async (fail) => {
    expect((await run(fail, { what: `c-${fail}`, fail }))[0]).toBeGreaterThanOrEqual(500)
    expect((await run(fail, { what: `c-${fail}`, fail }))[0]).toBeGreaterThanOrEqual(500)
    expect(await run(fail, { what: `c-${fail}` })).toMatchObject([200, { content: { runs: 3 } }])
    expect(await run(fail, { what: `c-${fail}` })).toMatchObject([200, { content: { runs: 3 } }])
  })

  it('never runs again after an unknown outcome', async () => {
    const failed = [504, { status_code: 'upstream_timeout' }]
    expect(await run('late', { what: 'late', fail: 'late' })).toMatchObject(failed)
    expect(await run('late', { what: 'late', fail: 'late' })).toMatchObject(failed)
    expect(await run('late 2', { what: 'late' })).toMatchObject([200, { content: { runs: 2 } }])
  })

  it('is not needed without a key', async () => {
    const response = await send('POST', '/committed', { body: { what: 'keyless' } })
    expect(await response.json()).toMatchObject({ content: { runs: 1 } })
  })
})

describe('a peer', () => {
  const target = `http://127.0.0.1:${inject('targetPort')}`

  it('is called by its binding, with the types of its endpoints', async () => {
    const { limit } = await peer<CoreApi>({ PARTNER: exports.default }, 'partner')('GET /list', { limit: 5 })
    expect(limit).toBe(5)
  })

  it('prefers the configured URL to the binding', async () => {
    const env = { PARTNER: exports.default, PARTNER_URL: target, AUTH_TOKENS: 'one' }
    const { authorization } = (await peer<CoreApi>(env, 'partner')('GET /list', { limit: 5 })) as {
      authorization?: string
    }
    expect(authorization).toBe('Bearer one')
  })

  it('is called at its URL, with a token', async () => {
    const called = peer<CoreApi>({ PARTNER_URL: `${target}/`, AUTH_TOKENS: 'one,two' }, 'partner')('GET /list', {
      limit: 1,
    })
    expect(await called).toMatchObject({ authorization: 'Bearer one' })
    const vars = { PARTNER_URL: target, HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'pässword' }
    const byPassword = peer<CoreApi>(vars, 'partner')('GET /list', { limit: 5 })
    expect(await byPassword).toMatchObject({ authorization: 'Basic YW5uOnDDpHNzd29yZA==' })
    const own = peer<CoreApi>(
      { BASE_URL: target, AUTH_TOKENS: 'one', PARTNER_TOKEN: 'three', PARTNER_URL: target },
      'partner',
    )
    expect(await own('GET /list', {})).toMatchObject({ authorization: 'Bearer three' })
  })

  it('puts the variables of the path into the path', async () => {
    const { id } = await peer<CoreApi>({ PARTNER: exports.default }, 'partner')('PATCH /item/:id', { id: 5, name: 'a' })
    expect(id).toBe(5)
  })

  it('relays errors about the parameters, and no others', async () => {
    const bound = peer<CoreApi>({ PARTNER: exports.default }, 'partner')
    await expect(bound('GET /list', { limit: 0 })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: { limit: expect.any(String) },
    })
    await expect(bound('GET /missing', {})).rejects.toMatchObject({ status: 404, code: 'big_thing_not_found' })
    await expect(bound('GET /boom', {})).rejects.toMatchObject({ status: 502, code: 'partner_failed' })
    await expect(
      peer<CoreApi>({ PARTNER_URL: 'http://127.0.0.1:9' }, 'partner')('GET /open', {}),
    ).rejects.toMatchObject({ code: 'partner_failed' })
    await expect(
      peer<CoreApi>({ PARTNER_URL: `${target}/no-json?` }, 'partner')('GET /open', {}),
    ).rejects.toMatchObject({ code: 'partner_failed' })
    await expect(peer<CoreApi>({}, 'partner')('GET /open', {})).rejects.toMatchObject({ code: 'not_configured' })
  })
})
