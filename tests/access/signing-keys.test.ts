// Tests the key pairs that sign tokens: one for all isolates at the first start, and a new one that verifies before it signs.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { schema } from '#access/schema'
import { currentSigningKey, deleteOldSigningKeys, readPublicKeys } from '#access/signing-keys'
import type { AccessService } from '#core/access/access-service'
import { serviceHeader } from '#core/access/service-token'
import { open } from '#core/db/open'
import { databases } from '../support/databases.ts'
import { boundOn } from '../support/requests.ts'
import { startBoth } from './support.ts'

const dayMs = 86_400_000

afterEach(() => {
  vi.useRealTimers()
})

describe.each(databases)('key pairs on $dialect', (database) => {
  const store = open(boundOn(database), schema)

  it('are made once by isolates that start at the same time', async () => {
    const now = new Date()
    const lists = await Promise.all(Array.from({ length: 10 }, () => readPublicKeys(store, now)))
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1)
    expect(lists[0]).toHaveLength(1)
    const { kid } = await currentSigningKey(store, now)
    expect(lists[0]).toMatchObject([{ kid }])
  })

  it('are replaced after 90 days, sign a minute later, and verify until the tokens of the old one have expired', async () => {
    const start = Date.now()
    const at = (ms: number) => new Date(start + ms)
    const { kid: first } = await currentSigningKey(store, at(0))
    const [, second] = (await readPublicKeys(store, at(91 * dayMs))) as unknown as { kid: string }[]
    expect((await currentSigningKey(store, at(91 * dayMs + 30_000))).kid).toBe(first)
    expect((await currentSigningKey(store, at(91 * dayMs + 61_000))).kid).toBe(second!.kid)
    await deleteOldSigningKeys(store, at(91 * dayMs))
    expect(await readPublicKeys(store, at(91 * dayMs))).toHaveLength(2)
    await deleteOldSigningKeys(store, at(92 * dayMs))
    expect(await readPublicKeys(store, at(92 * dayMs))).toMatchObject([{ kid: second!.kid }])
  })

  it('verify service tokens', async () => {
    const { service, statusFor } = startBoth(database)
    const { token } = await service.issueServiceToken('queue', 'feed')
    expect([await statusFor(token), await statusFor(token, 'POST /write')]).toEqual([200, 200])
    expect(await statusFor(token, 'DELETE /manage')).toBe(403)
    const { token: other } = await service.issueServiceToken('queue', 'badge')
    expect(await statusFor(other)).toBe(403)
  })
})

it('a component that gets no service token sends the last one, then a root token, and asks again after a pause', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const state = { isDown: false, calls: 0 }
  const ACCESS: Partial<AccessService> = {
    issueServiceToken: async () => {
      state.calls++
      if (state.isDown) throw new Error('Connection refused')
      return { token: `token ${state.calls}`, expires: Date.now() + 600_000 }
    },
  }
  const header = () => serviceHeader({ AUTH_TOKENS: 'root', ACCESS: ACCESS as AccessService }, 'feed')
  expect([await header(), await header()]).toEqual(['Bearer token 1', 'Bearer token 1'])
  state.isDown = true
  vi.setSystemTime(Date.now() + 500_000)
  expect([await header(), await header()]).toEqual(['Bearer token 1', 'Bearer token 1'])
  expect(state.calls).toBe(2)
  vi.setSystemTime(Date.now() + 80_000)
  expect(await header()).toBe('Bearer root')
  state.isDown = false
  vi.setSystemTime(Date.now() + 3_000)
  expect(await header()).toBe('Bearer token 4')
})

describe('a component that has no AUTH_TOKENS', () => {
  const { service, fetchShop, shopEnv } = startBoth(databases[0]!)

  it('calls components that need credentials with a service token', async () => {
    const authorization = await serviceHeader({ ACCESS: service, LOCAL: 'true' }, 'feed')
    expect(authorization).toMatch(/^Bearer eyJ/)
    expect((await fetchShop('/read', { headers: { authorization: authorization! } })).status).toBe(200)
    expect((await fetchShop('/read')).status).toBe(401)
  })

  it('calls open components with a valid service token, and without one while access does not answer', async () => {
    const open = startBoth(databases[0]!, { AUTH_TOKENS: '', LOCAL: 'true' })
    const authorization = await serviceHeader({ ...open.shopEnv }, 'feed')
    expect(authorization).toMatch(/^Bearer eyJ/)
    expect((await open.fetchShop('/read', { headers: { authorization: authorization! } })).status).toBe(200)
    const silent = { issueServiceToken: () => Promise.reject(new Error('is down')) } as unknown as AccessService
    expect(await serviceHeader({ ...shopEnv, AUTH_TOKENS: '', ACCESS: silent }, 'feed')).toBe(undefined)
  })
})
