// Tests of the catcher through HTTP: catching, reading and canned replies.
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#catcher/bindings'
import { ask } from './ask.ts'

afterEach(() => vi.restoreAllMocks())

const named = () => {
  const space = crypto.randomUUID()
  return { space, headers: { 'x-catcher-space': space } }
}

const send = (path: string, init: RequestInit = {}) => exports.default.fetch(`http://catcher.example${path}`, init)

const last = async (space: string, query = '') => {
  const response = await send(`/_last_request_?space=${space}${query}`)
  const text = await response.text()
  return { status: response.status, text, json: text ? JSON.parse(text) : null }
}

describe('catching', () => {
  it('replies, and the request can be read at once', async () => {
    const { space, headers } = named()
    const response = await exports.default.fetch('http://catcher.example:8080/hook/%7Euser//x?a=1&b=2&b=3', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'X-Forwarded-Prefix': '/catcher' },
      body: '{"n": 1.0, "list": [1]}',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: true })
    expect((await last(space)).text).toContain('"json":{"n":1.0,"list":[1]}')
    const { json } = await last(space)
    expect(json).toMatchObject({
      method: 'post',
      host: 'catcher.example',
      port: 8080,
      path: '/hook/%7Euser//x',
      query: { a: '1', b: ['2', '3'] },
      json: { n: 1, list: [1] },
      headers: { 'content-type': 'application/json', 'x-catcher-space': space },
      body: '{"n": 1.0, "list": [1]}',
      id: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    expect(json.headers).not.toHaveProperty('x-forwarded-prefix')
    expect(json).not.toHaveProperty('status')
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'])(
    'accepts %s on any path',
    async (method) => {
      const { space, headers } = named()
      const response = await send('/any/path', { method, headers })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(method === 'HEAD' ? '' : '{"status":true}')
      expect((await last(space)).json).toMatchObject({
        method: method.toLowerCase(),
        path: '/any/path',
        json: null,
        body: '',
      })
    },
  )

  it.each([
    '/',
    '//',
    '/%',
    '/%zz/%00/%ff',
    '/%2F..%2f',
    '/_last_request_/',
    '/_last_request_x',
    '/_requests_x',
    '/a/_requests_/ui',
    '/_health',
    '/_docs',
    '/a;b=c/ß',
    `/${'x'.repeat(4000)}`,
  ])('accepts the path %s', async (path) => {
    const { space, headers } = named()
    expect((await send(path, { method: 'POST', headers })).status).toBe(200)
    expect((await last(space)).json.path).toBe(path.replace('ß', '%C3%9F'))
  })

  it('accepts hundreds of headers with unusual names', async () => {
    const { space, headers } = named()
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`X-Header-${n}`, String(n)]))
    await send('/', { headers: [...Object.entries({ ...many, ...headers }), ['__proto__', 'x']] })
    const { json } = await last(space)
    expect(json.headers['x-header-299']).toBe('299')
    expect(Object.hasOwn(json.headers, '__proto__')).toBe(true)
  })

  it('accepts binary bodies', async () => {
    const { space, headers } = named()
    await send('/', { method: 'POST', headers, body: Uint8Array.of(0, 255, 254) })
    expect((await last(space)).json).toMatchObject({ body: 'AP/+', body_encoding: 'base64', json: null })
  })

  it('accepts malformed JSON', async () => {
    const { space, headers } = named()
    await send('/', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"a":' })
    expect((await last(space)).json).toMatchObject({ body: '{"a":', json: null })
  })

  it('truncates a large body, and returns its size', async () => {
    const { space, headers } = named()
    const response = await send('/', { method: 'POST', headers, body: 'é'.repeat(1_500_000) })
    expect(response.status).toBe(200)
    const { json } = await last(space)
    expect(json).toMatchObject({ body_truncated: true, body_size: 3_000_000, json: null })
    expect(json.body).toBe('é'.repeat(500_000))
  })

  it('keeps a megabyte unchanged', async () => {
    const { space, headers } = named()
    const body = JSON.stringify('x'.repeat(999_998))
    await send('/', { method: 'POST', headers, body })
    const { json } = await last(space)
    expect(json.json.length).toBe(999_998)
    expect(json).not.toHaveProperty('body_truncated')
  })

  it('stores a request with an invalid space name in the default space', async () => {
    await ask('DELETE', '/_last_request_')
    await send('/misnamed', { headers: { 'x-catcher-space': 'not a name' } })
    expect((await ask('GET', '/_last_request_')).json).toMatchObject({ path: '/misnamed' })
    expect((await ask('GET', '/_last_request_', { space: 'default' })).json).toMatchObject({ path: '/misnamed' })
  })

  it('stores a request in the space of its header, or of its query', async () => {
    const { space, headers } = named()
    const other = crypto.randomUUID()
    await send(`/hook?X-Catcher-Space=${space}`)
    expect((await last(space)).json).toMatchObject({ path: '/hook', query: { 'X-Catcher-Space': space } })
    await send(`/other?X-Catcher-Space=${other}`, { headers })
    expect((await last(space)).json).toMatchObject({ path: '/other' })
    expect((await last(other)).status).toBe(204)
  })

  it('does not catch requests to its own paths', async () => {
    const { space, headers } = named()
    await send('/_last_request_', { headers })
    await send('/_requests_/nothing', { headers })
    await send('/_requests_', { method: 'POST', headers })
    expect((await last(space)).status).toBe(204)
  })
})

describe('reading', () => {
  it('returns 204 if the space is empty', async () => {
    expect(await last(named().space)).toEqual({ status: 204, text: '', json: null })
  })

  it('takes the space from the header or the query', async () => {
    const { space, headers } = named()
    await send('/a', { headers })
    expect((await send('/_last_request_', { headers })).status).toBe(200)
    expect((await send('/_last_request_', { headers: named().headers })).status).toBe(204)
    expect((await last(space)).status).toBe(200)
  })

  it('separates spaces, also for concurrent requests', async () => {
    const spaces = Array.from({ length: 20 }, named)
    await Promise.all(
      spaces.flatMap(({ space, headers }) => ['a', 'b'].map((end) => send(`/${space}/${end}`, { headers }))),
    )
    for (const { space } of spaces) {
      const { json } = await ask('GET', '/_requests_', { space, count: true })
      const { requests, nb_results } = json.content as unknown as { requests: { path: string }[]; nb_results: number }
      expect(nb_results).toBe(2)
      expect(requests.map(({ path }) => path).toSorted()).toEqual([`/${space}/a`, `/${space}/b`])
    }
  })

  it('waits for a match', async () => {
    const { space, headers } = named()
    const waiting = last(space, '&wait=30&path=/b*&method=POST')
    await send('/a', { headers })
    await send('/bc', { headers })
    await send('/bc', { method: 'POST', headers })
    expect((await waiting).json).toMatchObject({ path: '/bc', method: 'post' })
  })

  it('returns a request that was caught before at once', async () => {
    const { space, headers } = named()
    await send('/a', { headers })
    expect((await last(space, '&wait=60&path=/a')).json).toMatchObject({ path: '/a' })
  })

  it('returns 204 if no request arrives in time', async () => {
    const { space, headers } = named()
    await send('/a', { headers })
    expect((await last(space, '&wait=0.02&path=/b')).status).toBe(204)
  })

  it('lists caught requests', async () => {
    const { space, headers } = named()
    for (const path of ['/a/1', '/a/2', '/b', '/a/3']) await send(path, { method: 'PUT', headers })
    await send('/a/4', { headers })
    const list = async (params: object) => {
      const { json } = await ask('GET', '/_requests_', { space, ...params })
      const { requests, ...rest } = json.content as unknown as { requests: { path: string }[] }
      return { paths: requests.map(({ path }) => path), ...rest }
    }
    expect(await list({})).toEqual({ paths: ['/a/4', '/a/3', '/b', '/a/2', '/a/1'], has_more: false })
    expect(await list({ path: '/a*', method: 'PUT', limit: 2, count: true })).toEqual({
      paths: ['/a/3', '/a/2'],
      has_more: true,
      nb_results: 3,
    })
    expect(await list({ path: '/a/2' })).toMatchObject({ paths: ['/a/2'] })
    expect(await list({ offset: 4 })).toMatchObject({ paths: ['/a/1'] })
  })

  it('lists without a slash at the end', async () => {
    const response = await send('/_requests_?limit=2', { redirect: 'manual' })
    expect(response.status).toBe(200)
  })

  it('finds a request by its id', async () => {
    const { space, headers } = named()
    await send('/a', { headers })
    expect((await ask('GET', '/_requests_/1', { space })).json.content).toMatchObject({
      request: { id: 1, path: '/a' },
    })
  })

  it.each(['/_last_request_', '/_requests_'])('deletes all requests with DELETE %s', async (path) => {
    const { space, headers } = named()
    const other = named()
    await send('/a', { headers })
    await send('/a', { headers: other.headers })
    expect((await ask('DELETE', path, { space })).json).toEqual({ status: true })
    expect((await last(space)).status).toBe(204)
    expect((await last(other.space)).status).toBe(200)
    expect((await ask('GET', '/_requests_', { space })).json.content).toEqual({ requests: [], has_more: false })
  })
})

describe('a canned reply', () => {
  it('replaces the default reply', async () => {
    const { space, headers } = named()
    const canned = { status: 503, headers: { 'Retry-After': '7', 'content-type': 'text/html' }, body: '<b>later</b>' }
    expect((await ask('PUT', '/_requests_/reply', { space, ...canned, times: 1 })).json).toEqual({ status: true })
    const response = await send('/a', { headers })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(await response.text()).toBe('<b>later</b>')
    expect((await send('/a', { headers })).status).toBe(200)
    expect((await ask('GET', '/_requests_/reply', { space })).json.content).toEqual({
      reply: { ...canned, delay: 0, times: 1, remaining: 0, method: null, path: null },
    })
  })

  it('is sandboxed by the browser for every content type', async () => {
    const { space, headers } = named()
    for (const canned of [
      { body: '<script></script>', headers: { 'X-Content-Type-Options': 'x' } },
      { json: 1 },
      { status: 404 },
    ]) {
      await ask('PUT', '/_requests_/reply', { space, ...canned })
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const response = await send('/a', { method, headers })
        expect(response.headers.get('content-security-policy')).toBe('sandbox')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      }
    }
  })

  it('set by an earlier version keeps no header that acts on the origin', async () => {
    const { space, headers } = named()
    const stored = { 'set-cookie': 'a=b', 'Service-Worker-Allowed': '/', 'Clear-Site-Data': '"*"', 'x-kept': 'yes' }
    const own = { 'content-security-policy': 'sandbox allow-scripts allow-same-origin' }
    const reply = { status: 200, headers: { ...stored, ...own }, body: 'a', delay: 0 }
    await (env as unknown as Env).SPACE.getByName(space).setReply(reply)
    const response = await send('/a', { headers })
    const names = [...response.headers.keys()]
    for (const name of ['set-cookie', 'service-worker-allowed', 'clear-site-data']) expect(names).not.toContain(name)
    expect(response.headers.get('content-security-policy')).toBe('sandbox')
    expect(response.headers.get('x-kept')).toBe('yes')
  })

  it('answers with any JSON, null too', async () => {
    const { space, headers } = named()
    for (const json of [{ a: [1] }, 'text', null, 0]) {
      await ask('PUT', '/_requests_/reply', { space, json })
      const response = await send('/a', { headers })
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(await response.json()).toEqual(json)
      expect((await ask('GET', '/_requests_/reply', { space })).json.content).toMatchObject({ reply: { json } })
    }
  })

  it.each([204, 205, 304])('answers %s without a body', async (status) => {
    const { space, headers } = named()
    await ask('PUT', '/_requests_/reply', { space, status, body: '' })
    const response = await send('/a', { headers })
    expect([response.status, await response.text()]).toEqual([status, ''])
  })

  it('is sent after its delay, and the request is stored before that', async () => {
    const { space, headers } = named()
    await ask('PUT', '/_requests_/reply', { space, status: 418, delay: 1000 })
    const read = last(space, '&wait=60')
    // The delay ends only when `read` has returned the request. If the request were stored after the delay, both would wait forever.
    const delay = vi.spyOn(scheduler, 'wait').mockImplementation(async () => void (await read))
    const answer = send('/a', { headers })
    expect((await read).json).toMatchObject({ path: '/a' })
    expect((await answer).status).toBe(418)
    expect(delay.mock.calls).toEqual([[1000]])
  })

  it('is only for the method and path that it names', async () => {
    const { space, headers } = named()
    await ask('PUT', '/_requests_/reply', { space, status: 418, method: 'DELETE', path: '/a*' })
    expect((await send('/ab', { headers })).status).toBe(200)
    expect((await send('/b', { method: 'DELETE', headers })).status).toBe(200)
    expect((await send('/ab', { method: 'DELETE', headers })).status).toBe(418)
  })

  it('is deleted, and a second deletion succeeds', async () => {
    const { space, headers } = named()
    await ask('PUT', '/_requests_/reply', { space, status: 418 })
    expect((await ask('DELETE', '/_requests_/reply', { space })).json).toEqual({ status: true })
    expect((await ask('DELETE', '/_requests_/reply', { space })).json).toEqual({ status: true })
    expect((await send('/a', { headers })).status).toBe(200)
  })

  it('stays when requests are deleted', async () => {
    const { space, headers } = named()
    await ask('PUT', '/_requests_/reply', { space, status: 418 })
    await ask('DELETE', '/_requests_', { space })
    expect((await send('/a', { headers })).status).toBe(418)
  })
})

describe('the standard endpoints', () => {
  it('are under /_requests_', async () => {
    expect((await ask('GET', '/_requests_/_health')).json).toMatchObject({
      content: { state: 'up', dependencies: { space: { state: 'up' } } },
    })
    const { json } = await ask('GET', '/_requests_/_openapi.json')
    expect(Object.keys(json.paths as object).toSorted()).toEqual([
      '/_last_request_',
      '/_requests_',
      '/_requests_/reply',
      '/_requests_/stream',
      '/_requests_/stubs',
      '/_requests_/ui',
      '/_requests_/verify',
      '/_requests_/{id}',
    ])
    expect((await send('/_requests_/_docs')).headers.get('content-type')).toBe('text/html; charset=utf-8')
  })
})
