// Tests what ends with time: expiry, clock skew, overlap after a rotation, and the caches of components. The clock is set.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccessService } from '#core/access/access-service'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

const secondMs = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * secondMs)

describe.each(databases)('with time on $dialect,', (database) => {
  const { send, asRoot, statusFor, createKey } = startBoth(database)

  const tokenOf = async (params: object, bearer = 'root') => {
    const { json } = await send('POST', '/token', params, { authorization: `Bearer ${bearer}` })
    return (json as unknown as { content: { token: string } }).content.token
  }

  it('a deleted key and its tokens end within 30 s', async () => {
    const { key, secret } = await createKey({ name: 'ends', scopes: ['*'] })
    const token = await tokenOf({ scopes: ['feed:read'] }, secret)
    expect([await statusFor(secret), await statusFor(token)]).toEqual([200, 200])
    await asRoot('DELETE', '/key', { id: key.id })
    pass(30)
    expect([await statusFor(secret), await statusFor(token)]).toEqual([401, 401])
  })

  it('the token of a key that an isolate still has cached ends with the revocation', async () => {
    const { key, secret } = await createKey({ name: 'cached', scopes: ['*'] })
    await tokenOf({ scopes: ['feed:read'] }, secret)
    await asRoot('DELETE', '/key', { id: key.id })
    const { status } = await send('POST', '/token', { scopes: ['feed:read'] }, { authorization: `Bearer ${secret}` })
    expect(status).toBe(401)
  })

  it('a previous secret ends after the overlap, within 30 s', async () => {
    const { key, secret } = await createKey({ name: 'overlaps', scopes: ['*'] })
    const rotated = await asRoot('POST', '/key/rotate', { id: key.id, overlap: 600 })
    const { secret: next } = rotated.json.content as unknown as { secret: string }
    pass(599)
    expect([await statusFor(secret), await statusFor(next)]).toEqual([200, 200])
    pass(31)
    expect([await statusFor(secret), await statusFor(next)]).toEqual([401, 200])
  })

  const rotate = async (id: string, params: object) => {
    const { json } = await asRoot('POST', '/key/rotate', { id, ...params })
    return (json.content as unknown as { secret: string } | undefined)?.secret ?? String(json.status_code)
  }
  /** The statuses of secrets for a component that has nothing cached. */
  const statusesOf = (secrets: string[]) => {
    const later = startBoth(database)
    return Promise.all(secrets.map((secret) => later.statusFor(secret)))
  }

  it('a rotation within an overlap keeps the older secrets until their overlaps end', async () => {
    const { key, secret } = await createKey({ name: 'rotates twice', scopes: ['*'] })
    const second = await rotate(key.id, { overlap: 600 })
    const third = await rotate(key.id, { overlap: 60 })
    const fourth = await rotate(key.id, { overlap: 0 })
    const all = [secret, second, third, fourth]
    expect(await statusesOf(all)).toEqual([200, 200, 401, 200])
    pass(61)
    expect(await statusesOf(all)).toEqual([200, 401, 401, 200])
    pass(540)
    expect(await statusesOf(all)).toEqual([401, 401, 401, 200])
  })

  it('a rotation can end the overlaps of earlier ones', async () => {
    const { key, secret } = await createKey({ name: 'ends overlaps', scopes: ['*'] })
    const second = await rotate(key.id, { overlap: 600 })
    const third = await rotate(key.id, { overlap: 60, end_overlaps: true })
    expect(await statusesOf([secret, second, third])).toEqual([401, 200, 200])
  })

  it('at most five previous secrets are valid at a time', async () => {
    const { key, secret } = await createKey({ name: 'rotates often', scopes: ['*'] })
    const secrets = [secret]
    for (let n = 0; n < 5; n++) secrets.push(await rotate(key.id, { overlap: 600 }))
    expect(await rotate(key.id, { overlap: 600 })).toBe('too_many_secrets')
    expect(await statusesOf(secrets)).toEqual(secrets.map(() => 200))
    const last = await rotate(key.id, { overlap: 0 })
    expect(await statusesOf([...secrets, last])).toEqual([200, 200, 200, 200, 200, 401, 200])
    pass(601)
    expect(await rotate(key.id, { overlap: 600 })).toMatch(/^qm_/)
  })

  it('concurrent rotations lose no secret', async () => {
    const { key, secret } = await createKey({ name: 'rotates at once', scopes: ['*'] })
    const secrets = await Promise.all([1, 2, 3].map(() => rotate(key.id, { overlap: 600 })))
    expect(await statusesOf([secret, ...secrets])).toEqual([200, 200, 200, 200])
  })

  it('a previous secret without an overlap ends within 30 s', async () => {
    const { key, secret } = await createKey({ name: 'no overlap', scopes: ['*'] })
    expect(await statusFor(secret)).toBe(200)
    await asRoot('POST', '/key/rotate', { id: key.id })
    pass(30)
    expect(await statusFor(secret)).toBe(401)
  })

  it('a key ends at its time', async () => {
    const expires_at = new Date(Date.now() + 100 * secondMs).toISOString()
    const { secret } = await createKey({ name: 'expires', scopes: ['*'], expires_at })
    const token = await tokenOf({ scopes: ['feed:read'] }, secret)
    pass(98)
    expect([await statusFor(secret), await statusFor(token)]).toEqual([200, 200])
    pass(3)
    expect([await statusFor(secret), await statusFor(token)]).toEqual([401, 401])
  })

  it('a token ends after its lifetime', async () => {
    const token = await tokenOf({ scopes: ['feed:read'], lifetime: 60 })
    pass(58)
    expect(await statusFor(token)).toBe(200)
    pass(3)
    expect(await statusFor(token)).toBe(401)
  })

  it('a token from a clock that is ahead is valid up to a minute of skew', async () => {
    expect(await statusFor(await tokenOf({ scopes: ['feed:read'] }))).toBe(200)
    pass(300)
    const token = await tokenOf({ scopes: ['feed:read'] })
    pass(-55)
    expect(await statusFor(token)).toBe(200)
    pass(-10)
    expect(await statusFor(token)).toBe(401)
  })
})

describe('while access does not answer,', () => {
  const { service, send, createKey } = startBoth(databases[0]!)

  /** A component whose calls of `access` fail, or are never answered, once `isDown`. Counts the calls that read what it caches. */
  const startDown = (fail: () => Promise<never>) => {
    const state = { isDown: false, calls: 0 }
    const guarded =
      <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>, isRead = true) =>
      (...args: Args): Promise<Result> => {
        if (isRead) state.calls++
        return state.isDown ? fail() : method(...args)
      }
    const ACCESS: Partial<AccessService> = {
      readTrust: guarded(() => service.readTrust()),
      findKey: guarded((id) => service.findKey(id)),
      markUsed: guarded((id) => service.markUsed(id), false),
      takeRequests: guarded((...args) => service.takeRequests(...args), false),
    }
    return { state, ...startBoth(databases[0]!, { ACCESS }) }
  }

  const failing = () => Promise.reject(new Error('Connection refused'))

  it('known keys and tokens are valid for five more minutes, and others get 503', async () => {
    const { state, statusFor } = startDown(failing)
    const known = await createKey({ name: 'known', scopes: ['*'] })
    const other = await createKey({ name: 'other', scopes: ['*'] })
    const { json } = await send('POST', '/token', { scopes: ['*'] }, { authorization: `Bearer ${known.secret}` })
    const { token } = json.content as unknown as { token: string }
    expect([await statusFor(known.secret), await statusFor(token)]).toEqual([200, 200])
    state.isDown = true
    pass(290)
    expect([await statusFor(known.secret), await statusFor(token)]).toEqual([200, 200])
    expect(await statusFor(other.secret)).toBe(503)
    expect(await statusFor('root')).toBe(200)
    pass(20)
    expect([await statusFor(known.secret), await statusFor(token)]).toEqual([503, 503])
  })

  it('requests of keys with a limit are not counted', async () => {
    const { state, statusFor } = startDown(failing)
    const { secret } = await createKey({ name: 'uncounted', scopes: ['*'], requests_per_minute: 1 })
    expect(await statusFor(secret)).toBe(200)
    expect(await statusFor(secret)).toBe(429)
    state.isDown = true
    pass(60)
    expect([await statusFor(secret), await statusFor(secret)]).toEqual([200, 200])
  })

  const hanging = () => new Promise<never>(() => undefined)
  const times = (count: number, ask: () => Promise<number>) => Promise.all(Array.from({ length: count }, ask))

  it('one call reads what concurrent requests need, and requests with known keys do not wait for it', async () => {
    const { state, statusFor } = startDown(hanging)
    const { secret } = await createKey({ name: 'stampede', scopes: ['*'] })
    expect(await times(20, () => statusFor(secret))).toEqual(Array(20).fill(200))
    // Of the trust, and of the key.
    expect(state.calls).toBe(2)
    state.isDown = true
    state.calls = 0
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    pass(26)
    expect(await times(20, () => statusFor(secret))).toEqual(Array(20).fill(200))
    expect(state.calls).toBe(2)
    await vi.advanceTimersByTimeAsync(6_000)
    // The last call failed: requests use what is known, however old, and one of them reads it again.
    pass(200)
    state.calls = 0
    expect(await times(20, () => statusFor(secret))).toEqual(Array(20).fill(200))
    expect(state.calls).toBe(2)
  })

  it('a request with a known key that nobody used for long waits a second', async () => {
    const { state, statusFor } = startDown(hanging)
    const { secret } = await createKey({ name: 'rarely', scopes: ['*'] })
    expect(await statusFor(secret)).toBe(200)
    state.isDown = true
    state.calls = 0
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    pass(200)
    const statuses = times(20, () => statusFor(secret))
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    await vi.advanceTimersByTimeAsync(1_000)
    await vi.waitUntil(() => state.calls === 2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await statuses).toEqual(Array(20).fill(200))
    expect(state.calls).toBe(2)
  })

  it('a request waits three seconds at most', async () => {
    const { state, statusFor } = startDown(hanging)
    const { secret } = await createKey({ name: 'waits', scopes: ['*'] })
    state.isDown = true
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const status = statusFor(secret)
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await status).toBe(503)
  })

  it('forged tokens cause one call a second at most', async () => {
    const { state, statusFor } = startDown(failing)
    const header = btoa(JSON.stringify({ alg: 'EdDSA', kid: 'unknown' })).replaceAll('=', '')
    const forged = `${header}.e30.${'A'.repeat(86)}`
    expect(await statusFor(forged)).toBe(401)
    pass(2)
    state.calls = 0
    expect(await times(50, () => statusFor(forged))).toEqual(Array(50).fill(401))
    expect(state.calls).toBe(1)
  })
})
