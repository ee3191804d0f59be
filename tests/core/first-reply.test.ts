import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { FirstReply } from '#core/objects/first-reply'

const { FIRST_REPLY } = env as unknown as { FIRST_REPLY: DurableObjectNamespace<FirstReply> }
const reply = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'done' }

it('knows a key for a day, and then no more', async () => {
  const first = FIRST_REPLY.getByName('day')
  expect(await first.begin('a', true)).toEqual({ state: 'new', attempt: 1 })
  await first.keep(1, reply)
  expect(await first.begin('a', true)).toEqual({ state: 'kept', reply })
  expect(await runDurableObjectAlarm(first)).toBe(true)
  expect(await first.begin('a', true)).toEqual({ state: 'new', attempt: 1 })
})

it('says of an attempt that a crash cut off that its outcome is unknown', async () => {
  const first = FIRST_REPLY.getByName('crash')
  await first.begin('a', true)
  expect(await first.begin('a', true)).toEqual({ state: 'running' })
  await runInDurableObject(first, (_, { storage }) => {
    const attempt = storage.kv.get<{ started: number }>('attempt')!
    storage.kv.put('attempt', { ...attempt, started: attempt.started - 300_000 })
  })
  expect(await first.begin('a', true)).toMatchObject({ state: 'kept', reply: { status: 504 } })
  expect(await first.begin('b', true)).toEqual({ state: 'other' })
})

it('is free again once it is released', async () => {
  const first = FIRST_REPLY.getByName('free')
  await first.begin('a', true)
  await first.release(1)
  expect(await first.begin('b', true)).toEqual({ state: 'new', attempt: 1 })
})

/** A process that died, with what it had in memory. */
const crash = (first: DurableObjectStub<FirstReply>) =>
  runInDurableObject(first, (_, state) => state.abort()).catch(() => undefined)

it('begins anew after a crash what had not committed, and then only that may commit', async () => {
  const first = FIRST_REPLY.getByName('uncommitted')
  expect(await first.begin('a', false)).toEqual({ state: 'new', attempt: 1 })
  expect(await first.begin('a', false)).toEqual({ state: 'running' })
  await crash(first)
  const again = FIRST_REPLY.getByName('uncommitted')
  expect(await again.begin('a', false)).toEqual({ state: 'new', attempt: 2 })
  expect(await again.commit(1)).toBe(false)
  await again.keep(1, reply)
  await again.release(1)
  expect(await again.commit(2)).toBe(true)
  expect(await again.begin('a', false)).toEqual({ state: 'running' })
  await again.keep(2, reply)
  expect(await again.begin('a', false)).toEqual({ state: 'kept', reply })
  expect(await again.commit(2)).toBe(false)
})

it('never begins anew what had committed when a crash cut it off', async () => {
  const first = FIRST_REPLY.getByName('committed')
  await first.begin('a', false)
  await first.commit(1)
  await crash(first)
  const again = FIRST_REPLY.getByName('committed')
  expect(await again.begin('a', false)).toMatchObject({ state: 'kept', reply: { status: 504 } })
  await again.keep(1, reply)
  expect(await again.begin('a', false)).toEqual({ state: 'kept', reply })
})

it('stays in memory for as long as an attempt holds it', async () => {
  const first = FIRST_REPLY.getByName('held')
  await first.begin('a', false)
  let isOver = false
  const held = first.hold(1).then(() => {
    isOver = true
  })
  await first.commit(1)
  expect(isOver).toBe(false)
  await first.keep(1, reply)
  await held
  await first.hold(1)
})
