// Tests the durable object that stores the reply to an idempotency key.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'

const { FIRST_REPLY } = env as unknown as { FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord> }
/** Begins an attempt, and checks that it is a new one. */
async function begin(first: DurableObjectStub<IdempotencyRecord>, isCommitted = true): Promise<string> {
  const before = await first.begin('a', isCommitted)
  expect(before).toEqual({ state: 'new', attempt: expect.any(String) })
  return (before as { attempt: string }).attempt
}

const reply = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'done' }

it('stores a key for a day', async () => {
  const first = FIRST_REPLY.getByName('day')
  await first.keep(await begin(first), reply)
  expect(await first.begin('a', true)).toEqual({ state: 'kept', reply })
  expect(await runDurableObjectAlarm(first)).toBe(true)
  await begin(first)
})

it('stores a reply larger than the maximum size of a storage value', async () => {
  const first = FIRST_REPLY.getByName('large')
  const large = { ...reply, body: '😀ab'.repeat(2_000_000) }
  await first.keep(await begin(first), large)
  expect(await first.begin('a', true)).toEqual({ state: 'kept', reply: large })
})

it('returns a reply that an older version stored', async () => {
  const first = FIRST_REPLY.getByName('older')
  const id = await begin(first)
  await runInDurableObject(first, (_, { storage }) => {
    storage.kv.put('attempt', { id, digest: 'a', started: Date.now(), isCommitted: true, reply })
  })
  expect(await first.begin('a', true)).toEqual({ state: 'kept', reply })
})

it('reports an unknown outcome for an attempt that a crash interrupted', async () => {
  const first = FIRST_REPLY.getByName('crash')
  await first.begin('a', true)
  expect(await first.begin('a', true)).toEqual({ state: 'running' })
  await runInDurableObject(first, (_, { storage }) => {
    const attempt = storage.kv.get<{ started: number }>('attempt')!
    storage.kv.put('attempt', { ...attempt, started: attempt.started - 300_000 })
  })
  expect(await first.begin('a', true)).toEqual({ state: 'lost' })
  expect(await first.begin('b', true)).toEqual({ state: 'other' })
})

it('is free again after release', async () => {
  const first = FIRST_REPLY.getByName('free')
  await first.release(await begin(first))
  expect(await first.begin('b', true)).toMatchObject({ state: 'new' })
})

/** Simulates a crash: the object loses what it had in memory, and keeps its storage. */
const crash = (first: DurableObjectStub<IdempotencyRecord>) =>
  runInDurableObject(first, (_, state) => state.abort()).catch(() => undefined)

it('begins a new attempt after a crash before the point of no return, and lets only that pass it', async () => {
  const first = FIRST_REPLY.getByName('uncommitted')
  const one = await begin(first, false)
  expect(await first.begin('a', false)).toEqual({ state: 'running' })
  await crash(first)
  const again = FIRST_REPLY.getByName('uncommitted')
  const two = await begin(again, false)
  expect(await again.commit(one)).toBe(false)
  await again.keep(one, reply)
  await again.release(one)
  expect(await again.commit(two)).toBe(true)
  expect(await again.begin('a', false)).toEqual({ state: 'running' })
  await again.keep(two, reply)
  expect(await again.begin('a', false)).toEqual({ state: 'kept', reply })
  expect(await again.commit(two)).toBe(false)
})

it('does not let an interrupted attempt pass the point of no return after the key was released', async () => {
  const first = FIRST_REPLY.getByName('freed')
  const one = await begin(first, false)
  await crash(first)
  const again = FIRST_REPLY.getByName('freed')
  await again.release(await begin(again, false))
  const three = await begin(again, false)
  expect(await again.commit(one)).toBe(false)
  expect(await again.commit(three)).toBe(true)
})

it('does not run again after a crash after the point of no return', async () => {
  const first = FIRST_REPLY.getByName('committed')
  const one = await begin(first, false)
  await first.commit(one)
  await crash(first)
  const again = FIRST_REPLY.getByName('committed')
  expect(await again.begin('a', false)).toEqual({ state: 'lost' })
  await again.keep(one, reply)
  expect(await again.begin('a', false)).toEqual({ state: 'kept', reply })
})

it('stays in memory while an attempt holds it', async () => {
  const first = FIRST_REPLY.getByName('held')
  const one = await begin(first, false)
  let isOver = false
  const held = first.hold(one).then(() => {
    isOver = true
  })
  await first.commit(one)
  expect(isOver).toBe(false)
  await first.keep(one, reply)
  await held
  await first.hold(one)
})

it('stores a key for the retention time of the endpoint', async () => {
  const first = FIRST_REPLY.getByName('week')
  const week = 7 * 86_400_000
  const before = Date.now()
  await first.begin('a', true, week)
  const alarm = await runInDurableObject(first, (_, { storage }) => storage.getAlarm())
  expect(alarm).toBeGreaterThanOrEqual(before + week)
})
