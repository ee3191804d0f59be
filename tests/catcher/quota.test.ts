// Tests of the quota for senders without credentials: new spaces per IP address, and bytes in all spaces.
import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#catcher/bindings'
import { maxBytesPerSpace } from '#catcher/history'
import { catcher } from '#catcher/index'
import { type CaptureQuota, maxBytes, maxNewSpaces } from '#catcher/quota'

const bound = env as unknown as Env

/** The environment of a deployment, which is not a local start and needs the token `secret`. */
const deployed = (vars: Partial<Env> = {}) => {
  const { LOCAL: _, ...rest } = bound
  return { ...rest, AUTH_TOKENS: 'secret', ...vars }
}

interface CaptureOptions {
  from?: string
  token?: string
  body?: string
  vars?: Partial<Env>
  environment?: Env
  method?: string
}

/** Sends a request to be caught in a space. */
async function capture(
  space: string | undefined,
  { from, token, body, vars, environment = deployed(vars), method = 'POST' }: CaptureOptions = {},
) {
  const headers = {
    ...(space !== undefined && { 'x-catcher-space': space }),
    ...(from && { 'cf-connecting-ip': from }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const request = new Request('http://catcher.example/hook', { method, headers, ...(body && { body }) })
  const response = await catcher.fetch(request, environment, createExecutionContext())
  const { status_code } = (await response.json()) as { status_code?: string }
  return { status: response.status, status_code, retryAfter: Number(response.headers.get('retry-after')) }
}

const refused = { status: 429, status_code: 'capture_limit' }

const names = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

const statusesOf = async (spaces: string[], sent: CaptureOptions) => {
  const replies = []
  for (const space of spaces) replies.push(await capture(space, sent))
  return new Set(replies.map(({ status }) => status))
}

/** Uses up the new spaces that an IP address may open within the hour. */
const useUp = (address: string) =>
  runInDurableObject(bound.CAPTURE_QUOTA.getByName('all') as DurableObjectStub<CaptureQuota>, (object) => {
    for (const space of names(maxNewSpaces)) object.reserve({ space, address, isNew: true, bytes: 1, keepMs: 1_000 })
  })

afterEach(() => vi.useRealTimers())

describe('a sender without credentials', () => {
  it('creates 100 spaces per hour, and can keep using them', async () => {
    const from = '198.51.100.1'
    const made = names(maxNewSpaces)
    expect(await statusesOf(made, { from })).toEqual(new Set([200]))
    const reply = await capture('one-more', { from })
    expect(reply).toMatchObject(refused)
    expect(reply.retryAfter).toBeGreaterThan(3_000)
    expect(reply.retryAfter).toBeLessThanOrEqual(3_600)
    expect(await statusesOf(made.slice(0, 5), { from })).toEqual(new Set([200]))
    expect((await capture('one-more', { from: '198.51.100.2' })).status).toBe(200)
  })

  it('creates more spaces an hour later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const from = '198.51.100.3'
    await useUp(from)
    expect(await capture(crypto.randomUUID(), { from })).toMatchObject(refused)
    vi.setSystemTime(Date.now() + 3_600_001)
    expect((await capture(crypto.randomUUID(), { from })).status).toBe(200)
  })

  it('is never rejected in the default space, in any spelling', async () => {
    const from = '198.51.100.4'
    await useUp(from)
    for (const space of [undefined, 'default', 'not a name', ''])
      expect((await capture(space, { from })).status).toBe(200)
  })

  it('shares its limit with all addresses of its IPv6 network', async () => {
    await useUp('2001:db8:1:2::/64')
    expect(await capture(crypto.randomUUID(), { from: '2001:db8:1:2:ffff::9' })).toMatchObject(refused)
    expect((await capture(crypto.randomUUID(), { from: '2001:db8:1:3::1' })).status).toBe(200)
  })

  it('is rejected before the request is stored or logged', async () => {
    const from = '198.51.100.5'
    await useUp(from)
    const print = vi.spyOn(console, 'log').mockReturnValue()
    const space = crypto.randomUUID()
    expect(await capture(space, { from, body: 'not to be printed' })).toMatchObject(refused)
    expect(JSON.stringify(print.mock.calls)).not.toContain('not to be printed')
    print.mockRestore()
    await runInDurableObject(bound.SPACE.getByName(space), async (_, { storage }) => {
      expect([...(await storage.list()).keys(), await storage.getAlarm()]).toEqual([null])
    })
  })

  it('may use any space that a sender with access has opened', async () => {
    const from = '198.51.100.6'
    await useUp(from)
    const space = crypto.randomUUID()
    await bound.SPACE.getByName(space).setReply({ status: 200, headers: {}, body: '{}', delay: 0 })
    expect((await capture(space, { from })).status).toBe(200)
  })

  it('has the limit on an open deployment, and with wrong credentials', async () => {
    for (const sent of [
      { from: '198.51.100.7', vars: { AUTH_TOKENS: '', OPEN: 'true' } },
      { from: '198.51.100.8', token: 'wrong' },
      { from: '198.51.100.9', vars: { AUTH_TOKENS: '', LOCAL: 'true' } },
    ]) {
      await useUp(sent.from)
      expect(await capture(crypto.randomUUID(), sent)).toMatchObject(refused)
    }
  })
})

describe('a sender with access', () => {
  it('creates spaces without a limit', async () => {
    const from = '198.51.100.10'
    await useUp(from)
    expect((await capture(crypto.randomUUID(), { from, token: 'secret' })).status).toBe(200)
  })

  it('is every sender on a local start without credentials', async () => {
    await useUp('unknown')
    expect(await capture(crypto.randomUUID())).toMatchObject(refused)
    expect((await capture(crypto.randomUUID(), { environment: bound })).status).toBe(200)
  })
})

describe('all spaces of senders without credentials', () => {
  const quota = () => bound.CAPTURE_QUOTA.getByName(crypto.randomUUID()) as DurableObjectStub<CaptureQuota>
  const demand = (space: string, bytes: number, isNew = true) => ({
    ...{ space, bytes, isNew, address: '198.51.100.1', keepMs: 3_600_000 },
  })
  const fill = async (stub: DurableObjectStub<CaptureQuota>) => {
    for (let n = 1; n <= 15; n++) await stub.reserve(demand(`full-${n}`, maxBytesPerSpace))
  }

  it('hold exactly 1 GB', async () => {
    const stub = quota()
    await fill(stub)
    const left = maxBytes - 15 * maxBytesPerSpace
    expect(left).toBe(40_000_000)
    await runInDurableObject(stub, (object) => {
      expect(() => object.reserve(demand('more', left + 1))).toThrow(/store more than/)
      expect(object.reserve(demand('more', left))).toBe(left)
      expect(() => object.reserve(demand('least', 1))).toThrow(/store more than/)
      expect(object.reserve(demand('full-1', maxBytesPerSpace, false))).toBe(maxBytesPerSpace)
    })
  })

  it('accept requests again after a space is emptied or expires, also after a restart', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const stub = quota()
    await fill(stub)
    await stub.release('full-1')
    await stub.release('never-there')
    await runInDurableObject(stub, (object, ctx) => {
      expect(object.reserve(demand('again', maxBytesPerSpace))).toBe(maxBytesPerSpace)
      const restarted = new (object.constructor as typeof CaptureQuota)(ctx, env)
      expect(() => restarted.reserve(demand('more', maxBytesPerSpace))).toThrow(/store more than/)
      vi.setSystemTime(Date.now() + 3_600_001)
      expect(restarted.reserve(demand('more', maxBytesPerSpace))).toBe(maxBytesPerSpace)
    })
  })

  it('reserve bytes in advance, with few calls', async () => {
    const stub = quota()
    let reservations = 0
    for (let bytes = 1; bytes <= maxBytesPerSpace; reservations++)
      bytes = (await stub.reserve(demand('one', bytes, false))) + 1
    expect(reservations).toBeLessThan(80)
  })

  it('keep their grant in the space, and release it when the space is emptied', async () => {
    const space = crypto.randomUUID()
    const all = bound.CAPTURE_QUOTA.getByName('all') as DurableObjectStub<CaptureQuota>
    const held = () =>
      runInDurableObject(all, (_, { storage }) =>
        storage.sql.exec<{ bytes: number }>('SELECT bytes FROM spaces WHERE name = ?', space).toArray(),
      )
    const sent = { from: '198.51.100.20', body: 'x'.repeat(100_000) }
    for (let n = 0; n < 3; n++) expect((await capture(space, sent)).status).toBe(200)
    const [{ bytes }] = (await held()) as [{ bytes: number }]
    expect(bytes).toBeGreaterThan(300_000)
    expect(bytes).toBeLessThan(400_000)
    const stub = bound.SPACE.getByName(space)
    await stub.clear()
    expect(await held()).toEqual([])
    await capture(space, sent)
    expect(await held()).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 604_800_001 })
    await runDurableObjectAlarm(stub)
    expect(await held()).toEqual([])
  })
})

it('keeps a request that arrives while an expired space returns its quota', async () => {
  const name = crypto.randomUUID()
  const space = bound.SPACE.getByName(name)
  expect((await capture(name, { from: '198.51.100.21' })).status).toBe(200)
  const { webSocket } = await space.fetch('http://space.example/', { headers: { upgrade: 'websocket' } })
  const cleared = new Promise((resolve) => webSocket!.addEventListener('message', resolve, { once: true }))
  webSocket!.accept()
  await runInDurableObject(space, (_, { storage }) => storage.sql.exec('UPDATE requests SET created_at = 0').toArray())
  const gate = Promise.withResolvers<void>()
  const held = runInDurableObject(bound.CAPTURE_QUOTA.getByName('all'), (_, ctx) =>
    ctx.blockConcurrencyWhile(() => gate.promise),
  )
  const alarm = runDurableObjectAlarm(space)
  await cleared
  const token = 'secret'
  expect((await capture(name, { token })).status).toBe(200)
  gate.resolve()
  await Promise.all([held, alarm])
  expect((await capture(name, { token })).status).toBe(200)
  expect((await space.list({}, 10, 0)).nb_results).toBe(2)
})

it('counts concurrent requests to one space', async () => {
  const space = crypto.randomUUID()
  const sent = { from: '198.51.100.30', body: 'x'.repeat(50_000) }
  const replies = await Promise.all(Array.from({ length: 20 }, () => capture(space, sent)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  await runInDurableObject(
    bound.CAPTURE_QUOTA.getByName('all') as DurableObjectStub<CaptureQuota>,
    (_, { storage }) => {
      const { bytes } = storage.sql.exec<{ bytes: number }>('SELECT bytes FROM spaces WHERE name = ?', space).one()
      expect(bytes).toBeGreaterThanOrEqual(20 * 50_000)
    },
  )
})
