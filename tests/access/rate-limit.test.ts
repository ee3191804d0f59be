// Tests the limit of requests per minute of a key: exact over several isolates, and shared with the tokens of the key.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeyLimiter } from '#access/key-limiter'
import type { AccessService } from '#core/access/access-service'
import type { Credential } from '#core/access/credential'
import { countRequest } from '#core/access/request-limit'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'
import { startBoth } from './support.ts'

const { KEY_LIMITER } = env as unknown as { KEY_LIMITER: DurableObjectNamespace<KeyLimiter> }

const minuteMs = 60_000

/** The services that as many isolates call. They share the objects that count, with this clock. */
const isolates = (count: number, clock: { now: number }) =>
  Array.from({ length: count }, () => {
    const state = { calls: 0 }
    const service: Partial<AccessService> = {
      takeRequests: async (id, perMinute, share) => {
        state.calls++
        return KEY_LIMITER.getByName(id).take(perMinute, share, clock.now)
      },
    }
    return { state, service: service as AccessService }
  })

const keyWith = (requestsPerMinute: number): Credential => ({
  kind: 'key',
  id: crypto.randomUUID(),
  scopes: ['*'],
  bounds: {},
  requestsPerMinute,
})

const isAdmitted = (service: AccessService, key: Credential, now: number) =>
  countRequest(service, key, now).then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe('rate_limit')
      return false
    },
  )

describe.each(isFull ? [1, 7, 10, 100, 1_000] : [1, 10, 25])('a limit of %i', (limit) => {
  it.each([1, 3])('is exact over %i isolates', async (count) => {
    const clock = { now: 1_000 * minuteMs }
    const key = keyWith(limit)
    const all = isolates(count, clock)
    for (let minute = 0; minute < 2; minute++) {
      let admitted = 0
      for (let sent = 0; sent < limit + 50; sent += 50) {
        const burst = all.flatMap(({ service }) =>
          Array.from({ length: 50 }, () => isAdmitted(service, key, clock.now)),
        )
        admitted += (await Promise.all(burst)).filter(Boolean).length
      }
      expect(admitted).toBe(limit)
      clock.now += minuteMs
    }
  })
})

it('admits a burst within the limit completely', async () => {
  const clock = { now: 2_000 * minuteMs }
  const [{ service }] = isolates(1, clock) as [ReturnType<typeof isolates>[number]]
  const key = keyWith(100)
  const results = await Promise.all(Array.from({ length: 100 }, () => isAdmitted(service, key, clock.now)))
  expect(results).toEqual(Array(100).fill(true))
})

it('asks the object no more after the limit, until the next minute', async () => {
  const clock = { now: 3_000 * minuteMs }
  const [{ service, state }] = isolates(1, clock) as [ReturnType<typeof isolates>[number]]
  const key = keyWith(10)
  for (let n = 0; n < 11; n++) await isAdmitted(service, key, clock.now)
  const { calls } = state
  for (let n = 0; n < 20; n++) expect(await isAdmitted(service, key, clock.now + 59_999)).toBe(false)
  expect(state.calls).toBe(calls)
})

describe('a key with a limit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('shares it with its tokens, and gets 429 with the time of the next minute', async () => {
    const { send, createKey, statusFor, fetchShop } = startBoth(databases[0]!)
    const { secret } = await createKey({ name: 'four', scopes: ['feed:*'], requests_per_minute: 4 })
    vi.setSystemTime(Math.ceil(Date.now() / minuteMs) * minuteMs + 20_000)
    // Counts as well.
    const issued = await send('POST', '/token', { scopes: ['feed:read'] }, { authorization: `Bearer ${secret}` })
    const { token } = issued.json.content as unknown as { token: string }
    expect([await statusFor(secret), await statusFor(token), await statusFor(secret)]).toEqual([200, 200, 200])
    for (const bearer of [secret, token]) {
      const response = await fetchShop('/read', { headers: { authorization: `Bearer ${bearer}` } })
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '40'])
      expect(await response.json()).toMatchObject({ status_code: 'rate_limit' })
    }
    vi.setSystemTime(Date.now() + 40_000)
    expect(await statusFor(token)).toBe(200)
  })
})
