// Tests the SQL that stores SMS messages, claims them and records their outcomes.
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { blockPhone } from '#sms/blacklist'
import { claimBatchSize, claimQueued, insertMessages, type LedgerEntry, recordEntries, storedId } from '#sms/ledger'
import { schema } from '#sms/schema'
import { databases } from '../support/databases.ts'
import { freshPhones } from './support.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-01-02T03:05:00.000Z')

describe.each(databases)('the ledger on $dialect', (database) => {
  const sms = open(database, schema)
  const { db, messages } = sms
  const common = { kind: 'sms' as const, segments: 2, provider: 'provider_a' as const, force: false }
  const enter = (phones: string[], more: object = {}) => insertMessages(sms, { ...common, phones, ...more }, at)
  const enterOne = async () => (await enter(freshPhones(1)))[0]!.id
  const rowsOf = (ids: number[]) => db.select().from(messages).where(inArray(messages.id, ids)).orderBy(messages.id)

  it('inserts one row per phone, in the order of the phones', async () => {
    const phones = freshPhones(3).toReversed()

    const entered = await enter(phones)

    expect(entered.map(({ phone, state }) => [phone, state])).toEqual(phones.map((phone) => [phone, 'sending']))
    const ids = entered.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(await rowsOf(ids)).toEqual(
      entered.map(({ id, phone }) => ({
        ...{ id, phone, kind: 'sms', state: 'sending', reason: null, provider: 'provider_a', provider_id: null },
        ...{ segments: 2, receipt_code: null, text: null, created_at: at, updated_at: at },
      })),
    )
  })

  it('checks the blacklist unless force is true', async () => {
    const phones = freshPhones(4)
    for (const n of [0, 2]) await blockPhone(sms, phones[n]!, at)

    const entered = await enter(phones)

    expect(entered.map(({ state }) => state)).toEqual(['blacklisted', 'sending', 'blacklisted', 'sending'])
    expect((await rowsOf([entered[0]!.id]))[0]).toMatchObject({ state: 'blacklisted', provider: null })
    expect((await enter(phones, { force: true })).map(({ state }) => state)).toEqual(Array(4).fill('sending'))
  })

  it('stores a call without segments', async () => {
    const [call] = await enter(freshPhones(1), { kind: 'call', segments: null })
    expect(await rowsOf([call!.id])).toMatchObject([{ kind: 'call', segments: null }])
  })

  it('queues messages beyond the first batch until they are claimed', async () => {
    const entered = await enter(freshPhones(claimBatchSize + 2))
    const queued = entered.slice(claimBatchSize)
    expect(entered.slice(0, claimBatchSize).every(({ state }) => state === 'sending')).toBe(true)
    expect(queued.map(({ state }) => state)).toEqual(['queued', 'queued'])
    const ids = queued.map(({ id }) => id)
    await db.update(messages).set({ state: 'failed' }).where(eq(messages.id, ids[1]!))

    expect(await claimQueued(sms, ids, 'provider_b', later)).toEqual([ids[0]])
    expect(await claimQueued(sms, ids, 'provider_b', later)).toEqual([])

    expect(await rowsOf(ids)).toMatchObject([
      { state: 'sending', provider: 'provider_b', updated_at: later },
      { state: 'failed', provider: 'provider_a', updated_at: at },
    ])
  })

  const entry = (id: number, more: Partial<LedgerEntry>): LedgerEntry => ({
    ...{ id, state: 'sent', reason: null, provider: 'provider_a', provider_id: null, segments: null, keepsText: false },
    ...more,
  })

  it('records the outcomes of many messages in one statement', async () => {
    const ids = (await enter(freshPhones(4))).map(({ id }) => id) as [number, number, number, number]

    await recordEntries(
      sms,
      [
        entry(ids[0], { provider: 'provider_b', provider_id: '12', segments: 3, keepsText: true }),
        entry(ids[1], { state: 'unknown', reason: 'timeout', provider_id: '"\\\u2028' }),
        entry(ids[2], { state: 'failed', reason: 'not_attempted', provider: null }),
      ],
      'It’s 0\\"',
      later,
    )

    expect(await rowsOf(ids)).toMatchObject([
      { state: 'sent', provider: 'provider_b', provider_id: '12', segments: 3, text: 'It’s 0\\"', updated_at: later },
      { state: 'unknown', reason: 'timeout', provider_id: '"\\\u2028', segments: 2, text: null },
      { state: 'failed', reason: 'not_attempted', provider: null, created_at: at },
      { state: 'sending', provider: 'provider_a', updated_at: at },
    ])
  })

  it('does not change a message that a receipt has settled', async () => {
    const id = await enterOne()
    await db.update(messages).set({ state: 'delivered' }).where(eq(messages.id, id))
    await recordEntries(sms, [entry(id, {})], '', later)
    expect(await rowsOf([id])).toMatchObject([{ state: 'delivered' }])
  })

  it('accepts any provider id', async () => {
    const id = await enterOne()
    const provider_id = storedId(`a\0\ud800${'x'.repeat(1_000)}`)
    await recordEntries(sms, [entry(id, { provider_id })], '', later)
    expect(await rowsOf([id])).toMatchObject([{ provider_id: `a\ufffd${'x'.repeat(253)}` }])
  })
})
