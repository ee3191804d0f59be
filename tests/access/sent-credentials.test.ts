// Tests that each credential that is sent is checked, and that pages can read errors from before the check.
import { describe, expect, it } from 'vitest'
import { api, type CoreEnv } from '#core/http/api'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

const origin = 'https://app.example.com'
const allowed = 'access-control-allow-origin'

const { shopEnv, createKey, send } = startBoth(databases[0]!)
const { secret } = await createKey({ name: 'page', scopes: ['feed:read'] })

/** A component with endpoints that need no credentials, or accept others. */
const stall = api<CoreEnv>({ name: 'feed', title: 'Stall', description: 'A component' })
  .get('/open', { summary: 'Is open', open: true }, () => undefined)
  .post('/open', { summary: 'Is open', open: true, bodyLimit: 10 }, () => undefined)
  .post('/write', { summary: 'Write', level: 'write' }, () => undefined)
  .get('/limited', { summary: 'Is limited', open: true, addressLimit: true }, () => undefined)
  .get('/file', { level: 'read', summary: 'Download', tokenInQuery: true }, () => undefined)
  .get(
    '/proof',
    { level: 'read', summary: 'Can be proven', proof: ({ url }) => url.searchParams.has('proof') },
    () => undefined,
  )
  .get(
    '/receipt',
    { summary: 'Is proven by a header', takesAnyAuthorization: true, proof: () => true },
    () => undefined,
  )

const captures = api<CoreEnv>({ name: 'feed', title: 'Captures', description: 'Takes requests' }).otherwise(
  () => new Response('canned', { status: 401 }),
)

const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext

interface Options {
  app?: Pick<typeof stall, 'fetch'>
  env?: object
  body?: string
}

const ask = async (
  call: string,
  headers: Record<string, string> = {},
  { app = stall, env = {}, body = '' }: Options = {},
) => {
  const [method, path] = call.split(' ') as [string, string]
  const init = { method, headers: { origin, 'sec-fetch-site': 'cross-site', ...headers }, ...(body && { body }) }
  const response = await app.fetch(new Request(`http://feed.example.com${path}`, init), { ...shopEnv, ...env }, ctx)
  return [response.status, response.headers.get(allowed)]
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const tokenOf = async (params: object) => {
  const { json } = await send('POST', '/token', { scopes: ['feed:read'], ...params }, bearer('root'))
  return (json as unknown as { content: { token: string } }).content.token
}

describe('a credential that is not needed', () => {
  it.each(['GET /open', 'GET /proof?proof', 'GET /_health', 'GET /_docs', 'GET /_openapi.json', 'GET /nothing'])(
    'is refused by %s if it is wrong',
    async (call) => {
      for (const invalid of ['made-up', `${secret}x`, `${await tokenOf({})}x`])
        expect(await ask(call, bearer(invalid))).toEqual([401, origin])
      expect(await ask(call, { authorization: `Basic ${btoa('a:b')}` })).toEqual([401, null])
      const open = { AUTH_TOKENS: '', LOCAL: 'true' }
      expect(await ask(call, bearer('made-up'), { env: open })).toEqual([401, origin])
    },
  )

  it.each(['GET /open', 'GET /proof?proof', 'GET /_health', 'GET /_docs', 'GET /_openapi.json'])(
    'lets its page read the reply of %s',
    async (call) => {
      expect(await ask(call)).toEqual([200, null])
      for (const valid of [secret, 'root', await tokenOf({}), await tokenOf({ origins: [origin] })])
        expect(await ask(call, bearer(valid))).toEqual([200, origin])
      expect(await ask(call, bearer(await tokenOf({ origins: ['https://other.example.com'] })))).toEqual([403, null])
    },
  )

  it('may be for another system where the endpoint says so', async () => {
    expect(await ask('GET /receipt', bearer('other'))).toEqual([200, null])
    expect(await ask('POST /any', bearer('other'), { app: captures })).toEqual([401, null])
    expect(await ask('POST /any', bearer(secret), { app: captures })).toEqual([401, null])
  })
})

it('refuses a wrong token in the query beside valid credentials, and wrong credentials beside a valid token', async () => {
  const token = await tokenOf({})
  expect(await ask(`GET /file?token=${token}`, bearer(secret))).toEqual([200, origin])
  expect(await ask(`GET /file?token=${token}x`, bearer(secret))).toEqual([401, origin])
  expect(await ask(`GET /file?token=${token}`, bearer('made-up'))).toEqual([401, origin])
})

describe('an error from before the credentials are checked', () => {
  const tooMany = { RATE_LIMIT: { limit: async () => ({ success: false }) }, LOCAL: '' }
  const limited = { 'cf-connecting-ip': '192.0.2.1' }
  const errors = [
    ['GET /nothing', 404, {}],
    ['DELETE /open', 405, {}],
    ['GET /write', 405, {}],
    ['GET /limited', 429, { env: tooMany, headers: limited }],
    ['POST /open', 413, { body: 'x'.repeat(20) }],
  ] as const

  it.each(errors)('can be read by pages with a valid token: %s', async (call, status, options) => {
    const { headers = {}, ...rest } = options as { headers?: Record<string, string>; body?: string }
    expect(await ask(call, { ...bearer(secret), ...headers }, rest)).toEqual([status, origin])
    expect(await ask(call, headers, rest)).toEqual([status, null])
    const listed = { ...rest, env: { ...(rest as { env?: object }).env, CORS_ORIGINS: origin } }
    expect(await ask(call, headers, listed)).toEqual([status, origin])
    const foreign = await tokenOf({ origins: ['https://other.example.com'] })
    expect((await ask(call, { ...bearer(foreign), ...headers }, rest))[1]).toBe(null)
  })
})

it('a page learns that its token cannot be checked', async () => {
  const broken = {
    readTrust: () => Promise.reject(new Error('down')),
    findKey: () => Promise.reject(new Error('down')),
  }
  const env = { ACCESS: broken }
  for (const call of ['GET /open', 'POST /write', 'GET /nothing', 'GET /_health'])
    expect(await ask(call, bearer(secret), { env })).toEqual([503, origin])
})
