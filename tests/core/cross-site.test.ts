// Tests the protection against cross-site request forgery (CSRF).
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from './worker/index.ts'

interface RequestOptions {
  method?: string
  path?: string
  host?: string
  headers?: Record<string, string>
}

const basic = `Basic ${btoa('ann:password')}`
const credentials = { AUTH_TOKENS: 'token', HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'password' }

/** Sends a request to a component with these variables. Returns the status, and the error code if it is refused. */
async function ask(
  vars: Record<string, string>,
  { method = 'POST', path = '/nothing', host = 'core', headers = {} }: RequestOptions,
) {
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
  const component = new worker(context as never, { ...env, ...vars } as never)
  const body = method === 'GET' || method === 'HEAD' ? undefined : '{"name":"b"}'
  const request = new Request(`http://${host}${path}`, { method, headers, ...(body && { body }) })
  const response = await component.fetch(request)
  const { status_code } = method === 'HEAD' ? {} : ((await response.json()) as { status_code?: string })
  return [response.status, status_code]
}

const refused = [403, 'cross_site_request']
const done = [201, undefined]
const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

describe('a page of another site', () => {
  it.each([
    'text/plain',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('changes nothing with cached Basic credentials and a body of type "%s"', async (type) => {
    const headers = { ...crossSite, authorization: basic, 'content-type': type }
    expect(await ask({ ...credentials, LOCAL: '' }, { headers })).toEqual(refused)
  })

  it.each(['POST', 'PATCH', 'DELETE'])(
    'cannot change anything on a local start without credentials, with %s',
    async (method) => {
      const path = { POST: '/kinds', PATCH: '/item/5', DELETE: '/kinds' }[method]!
      expect(await ask({}, { method, path, headers: crossSite })).toEqual(refused)
      expect((await ask({}, { method, path }))[0]).toBe(200)
    },
  )

  it.each([
    ['only says where it is from', { origin: 'https://evil.example' }],
    ['only says that it is of another site', { 'sec-fetch-site': 'cross-site' }],
    ['has an opaque origin, as a sandboxed document', { origin: 'null' }],
    ['is of the same site, but of another origin', { origin: 'http://other.core', 'sec-fetch-site': 'same-site' }],
    ['is of the same site, and does not say where it is from', { 'sec-fetch-site': 'same-site' }],
    ['is of another port', { origin: 'http://core:3000', 'sec-fetch-site': 'same-site' }],
    ['is of another scheme', { origin: 'https://core' }],
    ['has an origin that is no URL', { origin: 'core' }],
  ])('is refused if it %s', async (_, headers: Record<string, string>) => {
    expect(await ask({}, { headers })).toEqual(refused)
  })

  it('is refused before a 401 makes the browser ask for credentials', async () => {
    expect(await ask({ ...credentials, LOCAL: '' }, { headers: crossSite })).toEqual(refused)
  })

  it('cannot call a GET with effects', async () => {
    for (const method of ['GET', 'HEAD'])
      expect((await ask({}, { method, path: '/unsafe', headers: { 'sec-fetch-site': 'cross-site' } }))[0]).toBe(403)
    expect(await ask({}, { method: 'GET', path: '/unsafe' })).toEqual([200, undefined])
  })

  it('may send requests without effects, whose replies the browser hides from it', async () => {
    expect(await ask({}, { method: 'GET', path: '/list', headers: crossSite })).toEqual([200, undefined])
  })

  it('may call open endpoints, and those with a valid proof', async () => {
    expect(await ask({}, { path: '/open', headers: crossSite })).toEqual([200, undefined])
    const vars = { ...credentials, LOCAL: '' }
    expect(await ask(vars, { path: '/proof?secret=right', headers: crossSite })).toEqual([200, undefined])
  })

  it('cannot replace a proof by cached Basic credentials', async () => {
    const headers = { ...crossSite, authorization: basic }
    for (const method of ['GET', 'POST'])
      expect(await ask({ ...credentials, LOCAL: '' }, { method, path: '/proof', headers })).toEqual(refused)
  })

  it('needs a proof or credentials where a proof is possible', async () => {
    for (const method of ['GET', 'POST'])
      expect(await ask({ ...credentials, LOCAL: '' }, { method, path: '/proof', headers: crossSite })).toEqual([
        401,
        'unauthorized',
      ])
  })

  it('may call with a valid bearer token, and learns that an invalid one is invalid', async () => {
    const vars = { ...credentials, LOCAL: '' }
    const unauthorized = [401, 'unauthorized']
    expect(await ask(vars, { headers: { ...crossSite, authorization: 'Bearer token' } })).toEqual(done)
    expect(await ask(vars, { headers: { ...crossSite, authorization: 'Bearer other' } })).toEqual(unauthorized)
    expect(await ask({}, { headers: { ...crossSite, authorization: 'Bearer other' } })).toEqual(unauthorized)
  })
})

describe('a request that is not cross-site', () => {
  it.each([
    ['a server or curl', {}],
    ['a page of the same origin', { origin: 'http://core', 'sec-fetch-site': 'same-origin' }],
    ['a page of the same origin, in a browser without Fetch Metadata', { origin: 'http://core' }],
    ['a page behind a proxy that changes the host', { origin: 'http://app', 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('passes: %s', async (_, headers: Record<string, string>) => {
    expect(await ask({}, { headers })).toEqual(done)
    expect(await ask({ ...credentials, LOCAL: '' }, { headers: { ...headers, authorization: basic } })).toEqual(done)
  })

  it('is each local subdomain of the same port', async () => {
    const from = (origin: string) => ({ headers: { origin, 'sec-fetch-site': 'same-site' } })
    for (const host of ['core.localhost:8787', 'localhost:8787'])
      for (const origin of ['http://localhost:8787', 'http://feed.localhost:8787'])
        expect(await ask({}, { host, ...from(origin) })).toEqual(done)
    expect(await ask({}, { host: 'core.localhost:8787', ...from('http://localhost:3000') })).toEqual(refused)
    expect(await ask({}, { host: 'core.localhost:8787', ...from('http://localhost.evil.example:8787') })).toEqual(
      refused,
    )
  })

  it.each([
    ['https://api.example.com', 'https://api.example.com', done],
    ['https://api.example.com/v1', 'https://api.example.com', done],
    ['https://api.example.com', 'https://app.example.com', refused],
    ['https://{component}.example.com', 'https://core.example.com', done],
    ['https://{component}.example.com', 'https://feed.example.com', done],
    ['https://{component}.example.com', 'https://feed.core.example.com', refused],
    ['https://{component}.example.com', 'https://evil.example', refused],
  ])('with BASE_URL %s and the origin %s is answered with %j', async (BASE_URL, origin, expected) => {
    expect(await ask({ BASE_URL }, { headers: { origin, 'sec-fetch-site': 'cross-site' } })).toEqual(expected)
  })

  it('is an origin of CORS_ORIGINS', async () => {
    const CORS_ORIGINS = 'https://app.example, https://evil.example'
    expect(await ask({ CORS_ORIGINS }, { headers: crossSite })).toEqual(done)
    expect(await ask({ CORS_ORIGINS: 'https://app.example' }, { headers: crossSite })).toEqual(refused)
  })

  it('is any origin with CORS_ORIGINS=*, without Basic credentials', async () => {
    expect(await ask({ CORS_ORIGINS: '*' }, { headers: crossSite })).toEqual(done)
    const headers = { ...crossSite, authorization: basic }
    expect(await ask({ ...credentials, LOCAL: '', CORS_ORIGINS: '*' }, { headers })).toEqual(refused)
  })
})
