import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { FirstReply } from '#core/objects/first-reply'

const { FIRST_REPLY } = env as unknown as { FIRST_REPLY: DurableObjectNamespace<FirstReply> }
const reply = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'done' }

it('knows a key for a day, and then no more', async () => {
  const first = FIRST_REPLY.getByName('day')
  expect(await first.begin('a')).toEqual({ state: 'new' })
  await first.keep(reply)
  expect(await first.begin('a')).toEqual({ state: 'kept', reply })
  expect(await runDurableObjectAlarm(first)).toBe(true)
  expect(await first.begin('a')).toEqual({ state: 'new' })
})

it('says of an attempt that a crash cut off that its outcome is unknown', async () => {
  const first = FIRST_REPLY.getByName('crash')
  await first.begin('a')
  expect(await first.begin('a')).toEqual({ state: 'running' })
  await runInDurableObject(first, (_, { storage }) => {
    const attempt = storage.kv.get<{ started: number }>('attempt')!
    storage.kv.put('attempt', { ...attempt, started: attempt.started - 300_000 })
  })
  expect(await first.begin('a')).toMatchObject({ state: 'kept', reply: { status: 504 } })
  expect(await first.begin('b')).toEqual({ state: 'other' })
})

it('is free again once it is released', async () => {
  const first = FIRST_REPLY.getByName('free')
  await first.begin('a')
  await first.release()
  expect(await first.begin('b')).toEqual({ state: 'new' })
})
