// Tests the sweep of the SMS gateway: messages of crashed requests, and the deletion of old messages.
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { SmsState } from '#sms/contract'
import { claimBatchSize, insertMessages } from '#sms/ledger'
import { sweepMessages } from '#sms/sweep'
import { freshPhone, freshPhones, gateways, messageOf } from './support.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const days = 1_440

describe.each(gateways())('the sweep on $dialect', ({ sms, env, send, sweep }) => {
  const { db, messages } = sms
  const common = { kind: 'sms' as const, segments: 1, provider: 'provider_a' as const, force: false }
  const enter = (phones: string[], at: Date) => insertMessages(sms, { ...common, phones }, at)
  const statesOf = async (ids: number[]) => {
    const rows = await db.select().from(messages).where(inArray(messages.id, ids)).orderBy(messages.id)
    return rows.map(({ state, reason, provider }) => [state, reason, provider])
  }

  it('settles the messages of a request that crashed', async () => {
    const left = (await enter(freshPhones(claimBatchSize + 1), minutesAgo(6))).map(({ id }) => id)
    const running = (await enter(freshPhones(claimBatchSize + 1), minutesAgo(4))).map(({ id }) => id)

    await sweep()

    expect(await statesOf([left[0]!, left.at(-1)!])).toEqual([
      ['unknown', 'interrupted', 'provider_a'],
      ['failed', 'not_attempted', null],
    ])
    expect(await statesOf([running[0]!, running.at(-1)!])).toEqual([
      ['sending', null, 'provider_a'],
      ['queued', null, 'provider_a'],
    ])
  })

  it('does not change settled messages', async () => {
    const phone = freshPhone()
    const { id } = messageOf(await send('POST', '/sms', { phones: phone, message: 'Hello' }))
    await db
      .update(messages)
      .set({ updated_at: minutesAgo(60) })
      .where(eq(messages.id, id))
    await sweep()
    expect(await statesOf([id])).toEqual([['sent', null, 'provider_a']])
  })

  it('deletes messages after 90 days, or after SMS_RETENTION', async () => {
    const [old] = await enter(freshPhones(1), minutesAgo(91 * days))
    const [young] = await enter(freshPhones(1), minutesAgo(89 * days))
    await sweep()
    expect(await statesOf([old!.id, young!.id])).toEqual([['unknown', 'interrupted', 'provider_a']])
    await sweepMessages({ ...env, SMS_RETENTION: '60' })
    expect(await statesOf([young!.id])).toEqual([])
  })

  it('deletes thousands of old messages at once, and no recent ones', async () => {
    await db.delete(messages)
    for (let n = 0; n < 3; n++) await enter(freshPhones(1_000), minutesAgo(91 * days))
    const [young] = await enter(freshPhones(1), new Date())

    await sweep()

    expect(await db.select({ id: messages.id }).from(messages)).toEqual([{ id: young!.id }])
  })

  it('settles and deletes a limited number of messages, and the rest in the next sweeps', async () => {
    await db.delete(messages)
    for (let n = 0; n < 3; n++) await enter(freshPhones(1_000), minutesAgo(91 * days))
    const stateCount = async (...states: SmsState[]) => db.$count(messages, inArray(messages.state, states))
    const now = new Date()
    const interrupted = await stateCount('sending', 'queued')
    await sweepMessages(env, now, { batches: 2, end: Number.POSITIVE_INFINITY })
    expect(interrupted - (await stateCount('sending', 'queued'))).toBeLessThanOrEqual(2_000)
    expect(await db.$count(messages)).toBeGreaterThanOrEqual(1_000)
    for (let n = 0; n < 4; n++) await sweepMessages(env, now, { batches: 5, end: Number.POSITIVE_INFINITY })
    expect(await db.$count(messages)).toBe(0)
  })
})
