// Tests which pages of other origins may read replies: CORS headers for keys and tokens, and the answers to preflight requests.
import { describe, expect, it } from 'vitest'
import { admit } from '#core/http/access'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

const origin = 'https://app.example.com'
const allowed = 'access-control-allow-origin'

const { fetchShop, createKey, send } = startBoth(databases[0]!)
const { secret } = await createKey({ name: 'page', scopes: ['feed:read'] })

const from = async (path: string, headers: Record<string, string>, fetch = fetchShop) => {
  const response = await fetch(path, { headers: { origin, 'sec-fetch-site': 'cross-site', ...headers } })
  return [response.status, response.headers.get(allowed)]
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const tokenOf = async (params: object) => {
  const { json } = await send('POST', '/token', params, bearer('root'))
  return (json as unknown as { content: { token: string } }).content.token
}

describe('a preflight request', () => {
  const preflight = async (headers: string | undefined, fetch = fetchShop) => {
    const response = await fetch('/write', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        ...(headers !== undefined && { 'access-control-request-headers': headers }),
      },
    })
    return [response.status, response.headers.get(allowed), response.headers.get('access-control-allow-headers')]
  }
  const answered = [204, origin, 'authorization,content-type,idempotency-key']

  it.each(['authorization', 'Authorization, Content-Type', 'authorization,content-type,idempotency-key'])(
    'that asks for %s is answered',
    async (headers) => {
      expect(await preflight(headers)).toEqual(answered)
    },
  )

  it.each([undefined, '', 'content-type', 'idempotency-key', 'authorization,x-other', 'api-secret'])(
    'that asks for %s is not answered',
    async (headers) => {
      expect(await preflight(headers)).toEqual([405, null, null])
    },
  )

  it('of an origin in CORS_ORIGINS is answered for all headers', async () => {
    const { fetchShop } = startBoth(databases[0]!, { CORS_ORIGINS: origin })
    expect(await preflight('x-other', fetchShop)).toEqual([204, origin, 'x-other'])
  })
})

describe('a reply', () => {
  it('to a valid key or token can be read by each page, also if the call is refused', async () => {
    expect(await from('/read', bearer(secret))).toEqual([200, origin])
    expect(await from('/read', bearer('root'))).toEqual([200, origin])
    expect(await from('/undeclared', bearer(secret))).toEqual([405, origin])
    const response = await fetchShop('/write', { method: 'POST', headers: { origin, ...bearer(secret) } })
    expect([response.status, response.headers.get(allowed)]).toEqual([403, origin])
    const limited = await createKey({ name: 'limited', scopes: ['*'], requests_per_minute: 1 })
    const replies = await Promise.all([1, 2, 3].map(() => from('/read', bearer(limited.secret))))
    expect(replies).toContainEqual([429, origin])
  })

  it('to a wrong key or token can be read, so that the page learns that it has expired', async () => {
    expect(await from('/read', bearer('wrong'))).toEqual([401, origin])
    expect(await from('/file?token=wrong', {})).toEqual([401, origin])
  })

  it('to other requests cannot be read', async () => {
    const basic = startBoth(databases[0]!, { HTTP_AUTH_USERNAME: 'a', HTTP_AUTH_PASSWORD: 'b' })
    expect(await from('/read', { authorization: `Basic ${btoa('a:b')}` }, basic.fetchShop)).toEqual([200, null])
    expect(await from('/read?token=x', { authorization: `Basic ${btoa('a:b')}` }, basic.fetchShop)).toEqual([200, null])
    expect(await from('/read', {})).toEqual([401, null])
  })

  it('of an open start cannot be read with a made-up token in the query', async () => {
    const { fetchShop } = startBoth(databases[0]!, { AUTH_TOKENS: '', LOCAL: 'true' })
    expect(await from('/read', {}, fetchShop)).toEqual([200, null])
    expect(await from('/read?token=made-up', {}, fetchShop)).toEqual([200, null])
    expect(await from('/file?token=made-up', {}, fetchShop)).toEqual([401, origin])
    expect(await from('/read', bearer('made-up'), fetchShop)).toEqual([401, origin])
  })

  it('to a token with origins can be read by pages of these only', async () => {
    const token = await tokenOf({ scopes: ['feed:read'], origins: [origin] })
    expect(await from('/read', bearer(token))).toEqual([200, origin])
    expect(await from(`/file?token=${token}`, {})).toEqual([200, origin])
    const other = { origin: 'https://evil.example.com' }
    expect(await from('/read', { ...bearer(token), ...other })).toEqual([403, null])
    expect(await from(`/file?token=${token}`, other)).toEqual([403, null])
  })
})

it('refuses a request with an effect that has Basic credentials of the browser and a token in the query', async () => {
  const env = { HTTP_AUTH_USERNAME: 'a', HTTP_AUTH_PASSWORD: 'b' }
  const headers = { origin, 'sec-fetch-site': 'cross-site', authorization: `Basic ${btoa('a:b')}` }
  const visit = { component: 'feed', scopeComponent: 'feed', level: 'read', hasEffect: true, queryToken: 'x' } as const
  const request = new Request('http://feed.example.com/file?token=x', { method: 'POST', headers })
  await expect(admit(env, request, visit)).rejects.toMatchObject({ code: 'cross_site_request' })
})
