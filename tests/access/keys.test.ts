import { describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

describe.each(databases)('keys on $dialect', (database) => {
  const { service, asRoot, send, statusFor, createKey, fetchShop } = startBoth(database)

  it('are created once for a name, listed by name without secrets, and deleted', async () => {
    const made = await asRoot('POST', '/key', { name: 'b', scopes: ['feed:read'], bounds: { recipient: 'ann' } })
    expect(made.status).toBe(201)
    const { key, secret } = made.json.content as unknown as { key: { id: string }; secret: string }
    expect(secret).toMatch(new RegExp(`^qm_${key.id}_[\\w-]{43}$`))
    expect(await asRoot('POST', '/key', { name: 'b', scopes: ['*'] })).toMatchObject({
      status: 409,
      json: { status_code: 'name_taken' },
    })
    await createKey({ name: 'a', scopes: ['*'], requests_per_minute: 5, expires_at: '2100-01-01 00:00:00' })
    const listed = await asRoot('GET', '/keys', { limit: 2 })
    expect(listed.json.content).toEqual({
      keys: [
        expect.objectContaining({ name: 'a', requests_per_minute: 5, expires_at: '2100-01-01 00:00:00' }),
        { ...key, name: 'b', scopes: ['feed:read'], bounds: { recipient: 'ann' }, created_at: expect.any(String) },
      ],
    })
    expect(JSON.stringify(listed)).not.toContain(secret.slice(-43))
    expect((await asRoot('GET', '/keys', { after: 'a' })).json.content).toMatchObject({ keys: [{ name: 'b' }] })
    expect((await asRoot('DELETE', '/key', { id: key.id })).status).toBe(200)
    expect((await asRoot('DELETE', '/key', { id: key.id })).json.status_code).toBe('key_not_found')
    expect((await asRoot('POST', '/key', { name: 'b', scopes: ['*'] })).status).toBe(201)
  })

  it.each([
    { name: '', scopes: ['*'] },
    { name: 'x'.repeat(65), scopes: ['*'] },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: Array(51).fill('*') },
    { name: 'x', scopes: ['feed:delete'] },
    { name: 'x', scopes: ['unknown:read'] },
    { name: 'x', scopes: ['feed'] },
    { name: 'x', scopes: ['feed:read:all'] },
    { name: 'x', scopes: ['*:constructor'] },
    { name: 'x', scopes: ['*'], bounds: { unknown: 'a' } },
    { name: 'x', scopes: ['*'], bounds: { recipient: '' } },
    { name: 'x', scopes: ['*'], bounds: { recipient: 1 } },
    { name: 'x', scopes: ['*'], requests_per_minute: 0 },
    { name: 'x', scopes: ['*'], requests_per_minute: 100_001 },
  ])('%j is refused', async (params) => {
    expect(await asRoot('POST', '/key', params)).toMatchObject({
      status: 400,
      json: { status_code: 'validation_failed' },
    })
  })

  it('with an unknown scope or bound are refused with the allowed names', async () => {
    const errorsOf = async (params: object) =>
      (await asRoot('POST', '/key', { name: 'x', scopes: ['*'], ...params })).json.errors as unknown
    expect(await errorsOf({ bounds: { unknown: 'a', user: 'ann' } })).toEqual({
      'bounds.unknown': expect.stringMatching(/^bounds\.unknown is no name of a bound: .*collection, .*recipient.*\.$/),
    })
    expect(await errorsOf({ scopes: ['feed:read', 'shop:read'] })).toEqual({
      'scopes.1': expect.stringMatching(
        /^scopes\.1 must be .* read, write, manage and metrics.* media, .*feed, .*access\.$/,
      ),
    })
  })

  it('allow what their scopes include', async () => {
    const of = async (name: string, ...scopes: string[]) => (await createKey({ name, scopes })).secret
    const calls = ['GET /read', 'POST /write', 'DELETE /manage', 'POST /undeclared', 'GET /_metrics']
    const statuses = async (secret: string) => Promise.all(calls.map((call) => statusFor(secret, call)))
    expect(await statuses(await of('read', 'feed:read'))).toEqual([200, 403, 403, 403, 403])
    expect(await statuses(await of('write', 'feed:write'))).toEqual([200, 200, 403, 403, 403])
    expect(await statuses(await of('manage', 'feed:manage'))).toEqual([200, 200, 200, 200, 403])
    // 404: this component has no metrics.
    expect(await statuses(await of('metrics', '*:metrics'))).toEqual([403, 403, 403, 403, 404])
    expect(await statuses(await of('all of feed', 'feed:*'))).toEqual([200, 200, 200, 200, 404])
    expect(await statuses(await of('read of all', '*:read'))).toEqual([200, 403, 403, 403, 403])
    expect(await statuses(await of('other', 'badge:*', 'access:manage'))).toEqual([403, 403, 403, 403, 403])
    expect(await statuses(await of('everything', '*'))).toEqual([200, 200, 200, 200, 404])
    expect(await statuses('root')).toEqual([200, 200, 200, 200, 404])
  })

  it('name the scope that is missing', async () => {
    const { secret } = await createKey({ name: 'lacks', scopes: ['feed:read'] })
    const refused = await fetchShop('/write', { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
    expect(await refused.json()).toMatchObject({
      status_code: 'insufficient_scope',
      message: expect.stringContaining('feed:write'),
      content: { scope: 'feed:write' },
    })
  })

  it('pass on no more than they have', async () => {
    const { secret } = await createKey({ name: 'manager', scopes: ['access:manage', 'feed:write'] })
    const create = async (scopes: string[]) =>
      (await send('POST', '/key', { name: `${scopes}`, scopes }, { authorization: `Bearer ${secret}` })).json
    expect(await create(['feed:read'])).toMatchObject({ status: true })
    for (const scope of ['feed:manage', 'feed:*', '*:read', '*', 'badge:read'])
      expect(await create([scope])).toMatchObject({ status_code: 'wider_than_caller' })
  })

  it('are rotated only by callers with all their scopes, who get the secret', async () => {
    const { secret } = await createKey({ name: 'rotator', scopes: ['access:manage', 'feed:write'] })
    const rotate = async (scopes: string[]) => {
      const { key } = await createKey({ name: `to rotate ${scopes}`, scopes })
      return (await send('POST', '/key/rotate', { id: key.id }, { authorization: `Bearer ${secret}` })).json
    }
    expect(await rotate(['feed:read', 'access:read'])).toMatchObject({ status: true })
    for (const scope of ['*', 'feed:manage', '*:read', 'badge:read'])
      expect(await rotate(['feed:read', scope])).toMatchObject({ status_code: 'wider_than_caller' })
  })

  it('that do not exist leave no revocation when they are deleted', async () => {
    const id = '0123456789abcdef01234567'
    expect((await asRoot('DELETE', '/key', { id })).json.status_code).toBe('key_not_found')
    const { key } = await createKey({ name: 'to delete', scopes: ['*'] })
    await asRoot('DELETE', '/key', { id: key.id })
    const { revoked } = await service.readTrust()
    expect(revoked).toContain(key.id)
    expect(revoked).not.toContain(id)
  })

  it('create keys that neither outlive them nor have more requests', async () => {
    const limits = { expires_at: '2100-01-01 00:00:00', requests_per_minute: 100 }
    const { secret } = await createKey({ name: 'limited', scopes: ['access:manage'], ...limits })
    const create = async (params: object) => {
      const name = crypto.randomUUID()
      const headers = { authorization: `Bearer ${secret}` }
      return (await send('POST', '/key', { name, scopes: ['access:read'], ...params }, headers)).json
    }
    expect(await create(limits)).toMatchObject({ status: true })
    for (const wider of [{}, { ...limits, expires_at: '2100-01-01 00:00:01' }, { ...limits, requests_per_minute: 101 }])
      expect(await create(wider)).toMatchObject({ status_code: 'wider_than_caller' })
  })

  it('are refused with any changed character, and after they expired', async () => {
    const { secret } = await createKey({ name: 'exact', scopes: ['*'] })
    expect(await statusFor(secret)).toBe(200)
    for (let at = 0; at < secret.length; at += 3) {
      const other = secret[at] === '0' ? '1' : '0'
      expect(await statusFor(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(401)
    }
    const past = await createKey({ name: 'past', scopes: ['*'], expires_at: '2020-01-01 00:00:00' })
    expect(await statusFor(past.secret)).toBe(401)
  })

  it('rotate: the new secret is valid, the previous one only during the overlap', async () => {
    const { key, secret } = await createKey({ name: 'rotated', scopes: ['*'] })
    const first = (await asRoot('POST', '/key/rotate', { id: key.id })).json.content as unknown as { secret: string }
    expect(await statusFor(first.secret)).toBe(200)
    expect(await statusFor(secret)).toBe(401)
    // Another environment has nothing cached.
    const other = startBoth(database)
    const second = (await asRoot('POST', '/key/rotate', { id: key.id, overlap: 604_800 })).json.content as unknown as {
      secret: string
    }
    expect(await other.statusFor(second.secret)).toBe(200)
    expect(await other.statusFor(first.secret)).toBe(200)
    expect(await other.statusFor(secret)).toBe(401)
    // `other` has the previous rotation cached, and reads it again for an unknown secret, at most once a second.
    const third = (await asRoot('POST', '/key/rotate', { id: key.id })).json.content as unknown as { secret: string }
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_000)
    expect(await other.statusFor(third.secret)).toBe(200)
    vi.restoreAllMocks()
    const missing = await asRoot('POST', '/key/rotate', { id: 'f'.repeat(24) })
    expect(missing.json.status_code).toBe('key_not_found')
  })
})
