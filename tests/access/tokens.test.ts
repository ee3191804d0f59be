import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

describe.each(databases)('tokens on $dialect', (database) => {
  const { service, send, asRoot, statusFor, createKey, fetchShop } = startBoth(database)

  const issue = async (params: object, bearer = 'root') =>
    (await send('POST', '/token', params, { authorization: `Bearer ${bearer}` })).json
  const tokenOf = async (params: object, bearer?: string) => {
    const { content } = (await issue(params, bearer)) as unknown as { content: { token: string; expires_at: string } }
    return content.token
  }
  const call = (path: string, token: string, headers: Record<string, string> = {}) =>
    fetchShop(path, { headers: { authorization: `Bearer ${token}`, ...headers } })

  it('allow their scopes', async () => {
    const token = await tokenOf({ scopes: ['feed:read'] })
    expect(await statusFor(token)).toBe(200)
    expect(await statusFor(token, 'POST /write')).toBe(403)
  })

  it('allow everything that their key allows, unless scopes are named', async () => {
    const { secret } = await createKey({ name: 'all of it', scopes: ['feed:write'] })
    expect(await statusFor(await tokenOf({}, secret), 'POST /write')).toBe(200)
    expect(await statusFor(await tokenOf({}, secret), 'DELETE /manage')).toBe(403)
    expect(await statusFor(await tokenOf({}), 'DELETE /manage')).toBe(200)
  })

  it('are bound to values of parameters', async () => {
    const token = await tokenOf({ scopes: ['feed:*'], bounds: { collection: 'news', recipient: 'ann' } })
    const seen = async (query: string) => {
      const response = await call(`/mine?${query}`, token)
      const { content, status_code } = (await response.json()) as { content?: { seen: object }; status_code?: string }
      return content?.seen ?? status_code
    }
    expect(await seen('collection=news&recipient=ann')).toEqual({ collection: 'news', recipient: 'ann' })
    expect(await seen('')).toEqual({ collection: 'news', recipient: 'ann' })
    expect(await seen('recipient=bob')).toBe('out_of_bounds')
    expect(await seen('recipient=Ann')).toBe('out_of_bounds')
    expect(await seen('collection=other')).toBe('out_of_bounds')
    expect(await seen('user=bob')).toBe('out_of_bounds')
    expect(await seen('user=ann')).toBe('out_of_bounds')
    expect(await seen('recipients=["ann"]')).toBe('out_of_bounds')
    // These endpoints declare no bounds.
    expect(await statusFor(token, 'GET /read')).toBe(403)
    expect(await statusFor(token, 'POST /write')).toBe(403)
    expect(await statusFor(token, 'DELETE /manage')).toBe(403)
  })

  it('have the bounds and at most the scopes of their key, and issue no tokens', async () => {
    const { secret } = await createKey({ name: 'ann', scopes: ['feed:read'], bounds: { recipient: 'ann' } })
    const token = await tokenOf({ scopes: ['feed:read'], bounds: { collection: 'news' } }, secret)
    expect((await call('/mine?recipient=ann', token)).status).toBe(200)
    expect((await call('/mine?recipient=bob', token)).status).toBe(403)
    expect((await call('/mine?collection=other', token)).status).toBe(403)
    const refused = { status_code: 'wider_than_caller' }
    expect(await issue({ scopes: ['feed:write'] }, secret)).toMatchObject(refused)
    expect(await issue({ scopes: ['*:read'] }, secret)).toMatchObject(refused)
    expect(await issue({ scopes: ['feed:read'], bounds: { recipient: 'bob' } }, secret)).toMatchObject(refused)
    expect(await issue({ scopes: ['feed:read'] }, token)).toMatchObject({ status_code: 'forbidden' })
  })

  it('end with their key', async () => {
    const { key, secret } = await createKey({ name: 'deleted', scopes: ['feed:read'] })
    const token = await tokenOf({ scopes: ['feed:read'] }, secret)
    expect(await statusFor(token)).toBe(200)
    await asRoot('DELETE', '/key', { id: key.id })
    // A component that has cached nothing, as each has after 30 s.
    const later = startBoth(database)
    expect(await later.statusFor(token)).toBe(401)
    expect(await later.statusFor(secret)).toBe(401)
    const expires_at = new Date(Date.now() + 90_000).toISOString()
    const short = await createKey({ name: 'short', scopes: ['feed:read'], expires_at })
    const { content } = (await issue({ scopes: ['feed:read'] }, short.secret)) as unknown as {
      content: { expires_at: string }
    }
    expect(Date.parse(`${content.expires_at}Z`.replace(' ', 'T'))).toBeLessThanOrEqual(Date.parse(expires_at))
  })

  it('may list the origins that use them', async () => {
    const origin = 'https://app.example.com'
    const token = await tokenOf({ scopes: ['feed:*'], origins: [origin] })
    const from = async (origin: string) => {
      const response = await call('/read', token, { origin, 'sec-fetch-site': 'cross-site' })
      return [response.status, response.headers.get('access-control-allow-origin')]
    }
    expect(await from(origin)).toEqual([200, origin])
    expect(await from('https://evil.example.com')).toEqual([403, null])
    expect(await statusFor(token)).toBe(200)
  })

  it('are accepted in the query by downloads only', async () => {
    const token = await tokenOf({ scopes: ['feed:read'] })
    expect((await fetchShop(`/file?token=${token}`)).status).toBe(200)
    expect((await fetchShop('/file?token=wrong')).status).toBe(401)
    expect((await fetchShop(`/read?token=${token}`)).status).toBe(401)
  })

  it.each([
    { scopes: [] },
    { scopes: ['feed:read'], lifetime: 59 },
    { scopes: ['feed:read'], lifetime: 86_401 },
    { scopes: ['feed:read'], origins: [] },
    { scopes: ['feed:read'], origins: ['https://app.example.com/path'] },
    { scopes: ['feed:read'], origins: ['*'] },
  ])('refuse %j', async (params) => {
    expect(await issue(params)).toMatchObject({ status_code: 'validation_failed' })
  })

  it('of another issuer, algorithm or time are refused', async () => {
    const { publicKeys } = await service.readTrust()
    const { kid } = publicKeys[0] as unknown as { kid: string }
    const { privateKey } = await generateKeyPair('EdDSA')
    const claims = { kind: 'token', sub: 'root', scopes: ['*'], bounds: {} }
    const signed = (sign: (jwt: SignJWT) => SignJWT) =>
      sign(new SignJWT(claims).setIssuer('quartermaster').setIssuedAt().setExpirationTime('1h'))
    expect(await statusFor(await signed((jwt) => jwt.setProtectedHeader({ alg: 'EdDSA', kid })).sign(privateKey))).toBe(
      401,
    )
    const secret = new TextEncoder().encode(JSON.stringify(publicKeys[0]))
    expect(await statusFor(await signed((jwt) => jwt.setProtectedHeader({ alg: 'HS256', kid })).sign(secret))).toBe(401)
    const encoded = (value: object) =>
      new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: 'base64url', omitPadding: true })
    expect(await statusFor(`${encoded({ alg: 'none', kid })}.${encoded({ ...claims, exp: 9e9, iat: 1 })}.AAAA`)).toBe(
      401,
    )
  })
})
