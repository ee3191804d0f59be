// Tests the SQL of the ledger on its tables: claims, pages, pieces, and the migration of existing ledgers.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { migrate } from '#core/objects/migrate'
import { claimLeaseMs, claimMessages, expireClaims, nextDue, renewClaims } from '#delivery/ledger/claims'
import { reportOf } from '#delivery/ledger/counts'
import type { Retention } from '#delivery/ledger/keys'
import { beginPage, commitPage, failPage, holdPage, stagePage } from '#delivery/ledger/pages'
import { retryLedger } from '#delivery/ledger/retries'
import { settleMessages } from '#delivery/ledger/settlement'
import { tableSteps } from '#delivery/ledger/tables'
import { holdOf } from '#delivery/ledger/view'
import { begin, books, fill, headOf, messagesIn, onTables, recipient } from './books.ts'
import { bound } from './support.ts'

const one = (n: number, target = `t${n}`) => ({
  ...recipient(n, target),
  messages: [recipient(n, target).messages[1]!],
})
const smsOnly = { has_email: false, has_feed: false }
const day = 86_400_000
const retention: Retention = { recipientsMs: 7 * day, keysMs: { email: 7 * day, sms: 7 * day, feed: day } }
const report = (sql: SqlStorage) => reportOf(headOf(sql)).sms

describe('a claim', () => {
  it('accepts an outcome only from its current claim number, not from an earlier claim', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      fill(sql, 1, [one(0)])
      const [first] = claimMessages(sql, 5, 1).messages
      settleMessages(sql, [{ ...first!, state: 'released' }], 2)
      const [second] = claimMessages(sql, 5, 3).messages
      expect([first!.claim, second!.claim, second!.id]).toEqual([1, 2, first!.id])
      settleMessages(sql, [{ ...first!, state: 'sent' }], 4)
      expect(report(sql)).toMatchObject({ sending: 1, sent: 0 })
      settleMessages(sql, [{ ...second!, state: 'failed', reason: 'refused' }], 5)
      settleMessages(sql, [{ ...second!, state: 'sent' }], 6)
      expect(report(sql)).toMatchObject({ sending: 0, sent: 0, failed: 1, reasons: { refused: 1 } })
    }))

  it('of an unsent message is repeated after 10 s, 1 min and 5 min, and then the message fails', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      fill(sql, 1, [one(0)])
      let now = 0
      for (const pause of [10_000, 60_000, 300_000]) {
        const [claimed] = claimMessages(sql, 5, now).messages
        settleMessages(sql, [{ ...claimed!, state: 'again', reason: 'smtp_failed' }], now)
        expect([nextDue(sql, headOf(sql), now), claimMessages(sql, 5, now + pause - 1).messages]).toEqual([
          now + pause,
          [],
        ])
        now += pause
      }
      const [last] = claimMessages(sql, 5, now).messages
      settleMessages(sql, [{ ...last!, state: 'again', reason: 'smtp_failed' }], now)
      expect(report(sql)).toMatchObject({ queued: 0, failed: 1, reasons: { smtp_failed: 1 } })
    }))

  it('expires unless it is renewed', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      fill(sql, 1, [one(0), one(1)])
      const [kept, lost] = claimMessages(sql, 5, 0).messages
      renewClaims(sql, [kept!], 20_000)
      expect(nextDue(sql, headOf(sql), 20_000)).toBe(claimLeaseMs)
      expireClaims(sql, claimLeaseMs - 1)
      expect(report(sql)).toMatchObject({ sending: 2 })
      expireClaims(sql, claimLeaseMs)
      expect(report(sql)).toMatchObject({ sending: 1, unknown: 1, reasons: { interrupted: 1 } })
      renewClaims(sql, [lost!], claimLeaseMs)
      expireClaims(sql, 20_000 + claimLeaseMs)
      expect([report(sql).unknown, headOf(sql).open]).toEqual([2, 0])
    }))

  it('of a message that allows duplicates is granted whatever the age of its idempotency key', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      sql.exec('UPDATE head SET max = 10')
      fill(sql, 1, [one(0)])
      const claimAt = (now: number) => claimMessages(sql, 5, now, retention.keysMs).messages[0]!
      settleMessages(sql, [{ ...claimAt(1), state: 'unknown', reason: 'timeout' }], 2)
      retryLedger(sql, { states: ['unknown'], allow_duplicates: true }, retention, 3)
      settleMessages(sql, [{ ...claimAt(8 * day), state: 'unknown', reason: 'timeout' }], 8 * day)
      // After the outcome `unknown` with allowed duplicates, the message is sent again under another key.
      settleMessages(sql, [{ ...claimAt(8 * day), state: 'pending' }], 8 * day)
      settleMessages(sql, [{ ...claimAt(16 * day), state: 'unknown', reason: 'timeout' }], 16 * day)
      expect(report(sql)).toMatchObject({ queued: 0, unknown: 1, reasons: { timeout: 1 } })
    }))

  it('goes to the messages that have waited longest', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      fill(sql, 11, [one(0), one(1)], 5)
      fill(sql, 1, [one(0, 'a'), one(1, 'b')], 7)
      const pieces = () =>
        claimMessages(sql, 3, 10).messages.map(({ id }) => messagesIn(sql).find((one) => one.id === id)!.piece)
      expect(pieces()).toEqual([11, 11, 1])
    }))
})

describe('a page', () => {
  it('contains only the recipients of its last attempt', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      const first = begin(sql, 1, 0)!
      stagePage(sql, first, [one(0, 'lost'), one(1, 'lost too')])
      expect(begin(sql, 1, 999)).toBeUndefined()
      const second = begin(sql, 1, 1_000)!
      expect(messagesIn(sql)).toEqual([])
      stagePage(sql, second, [one(0)])
      expect(stagePage(sql, first, [one(2)])).toBe(false)
      commitPage(sql, first, 3, 1_001)
      expect(failPage(sql, first, 'timeout', 1_001)).toBeUndefined()
      expect(headOf(sql).recipients).toBe(0)
      commitPage(sql, second, 1, 1_002)
      expect([headOf(sql).recipients, report(sql).queued]).toEqual([1, 1])
    }))

  it('that failed leaves no messages, and its targets can be used by another page', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      const first = begin(sql, 1, 0)!
      stagePage(sql, first, [one(0)])
      expect(failPage(sql, first, 'timeout', 10)).toBe(5_000)
      expect([messagesIn(sql), sql.exec('SELECT * FROM recipients').toArray()]).toEqual([[], []])
      fill(sql, 11, [one(0)], 20)
      fill(sql, 1, [one(0)], 5_010)
      expect(report(sql)).toMatchObject({ queued: 1, skipped: 1, reasons: { duplicate: 1 } })
    }))

  it('that failed ends the hold of the data source, and increments the revision for the listing', () =>
    onTables((sql) => {
      books(sql, smsOnly)
      holdPage(sql, begin(sql, 1, 0)!, 'http_503', 1)
      expect(holdOf(sql, headOf(sql))).toMatchObject({ held: true })
      const probe = begin(sql, 11, 20_000)!
      const { revision } = headOf(sql)
      failPage(sql, probe, 'not_json', 20_001)
      expect(holdOf(sql, headOf(sql))).toMatchObject({ held: false })
      expect(headOf(sql).revision).toBeGreaterThan(revision)
    }))

  it('has one message per target and channel', () =>
    onTables((sql) => {
      books(sql)
      fill(sql, 1, [recipient(0, 'a'), recipient(1, 'a'), recipient(2, null)])
      const { email, sms, feed } = reportOf(headOf(sql))
      for (const channel of [email, sms, feed])
        expect(channel).toMatchObject({ queued: 1, skipped: 2, reasons: { duplicate: 1, no_target: 1 } })
    }))

  it('cannot be claimed after the delivery has ended', () =>
    onTables((sql) => {
      books(sql, { ...smsOnly, max: 10 })
      fill(sql, 1, [])
      expect(headOf(sql).status).toBe('finished')
      expect(beginPage(sql, { min: 1, max: 10, gap: 10 }, 1_000, 5)).toEqual({ state: 'over' })
    }))
})

describe('the tables of the previous version', () => {
  it('are migrated, and the queued messages are sent', () =>
    runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage }) => {
      const { sql } = storage
      migrate(storage, tableSteps.slice(0, 1))
      sql.exec(
        `INSERT INTO head (one, ledger, status, is_paused, min, max, gap, channels, version, revision, copied, is_amended, updated_at, fetched, open, counts)
         VALUES (1, 'old', 'started', 0, 1, 10, 10, 'email', 1, 1, 1, 0, 0, 1, 1, '{"email queued ":1,"email unknown timeout":1}')`,
      )
      sql.exec(`INSERT INTO pieces (min, max, state, at, messages, open) VALUES (1, 10, 'sending', 0, 2, 1)`)
      sql.exec(`INSERT INTO recipients (id, data, open) VALUES (1, '{}', 1)`)
      sql.exec(
        `INSERT INTO messages (id, piece, place, channel, state, recipient) VALUES (1, 1, 0, 'email', 'queued', 1), (2, 1, 1, 'email', 'unknown', 9)`,
      )
      migrate(storage, tableSteps)
      const [claimed] = claimMessages(sql, 5, 1_000).messages
      expect(claimed).toMatchObject({ id: 1, data: '{}', key: 'delivery-old-1-0' })
      settleMessages(sql, [{ ...claimed!, state: 'sent' }], 1_001)
      expect(headOf(sql)).toMatchObject({ status: 'finished', ended_at: null })
    }))

  it('never assign a message to a new recipient that reuses the id of a deleted one', () =>
    runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage }) => {
      const { sql } = storage
      migrate(storage, tableSteps.slice(0, 1))
      sql.exec(
        `INSERT INTO head (one, ledger, status, is_paused, min, max, gap, channels, version, revision, copied, is_amended, updated_at, fetched, open, counts)
         VALUES (1, 'old', 'started', 0, 1, 20, 10, 'email', 1, 1, 1, 0, 0, 2, 1, '{"email queued ":1,"email failed refused":2}')`,
      )
      sql.exec(
        `INSERT INTO pieces (min, max, state, at, messages, open) VALUES (1, 10, 'processed', 0, 2, 0), (11, 20, 'sending', 0, 1, 1)`,
      )
      // Before the migration, recipients 1 and 2 were deleted with their settled messages. The third recipient got id 1 again,
      // so message 1 refers to the wrong recipient.
      sql.exec(`INSERT INTO recipients (id, data, open) VALUES (1, '"third"', 1)`)
      sql.exec(
        `INSERT INTO messages (id, piece, place, channel, state, reason, recipient)
         VALUES (1, 1, 0, 'email', 'failed', 'refused', 1), (2, 1, 1, 'email', 'failed', 'refused', 2), (3, 11, 0, 'email', 'queued', NULL, 1)`,
      )
      migrate(storage, tableSteps)
      const [claimed] = claimMessages(sql, 5, 1_000).messages
      expect(claimed).toMatchObject({ id: 3, data: '"third"' })
      settleMessages(sql, [{ ...claimed!, state: 'failed', reason: 'refused' }], 1_001)
      expect(headOf(sql).status).toBe('finished')
      const request = { states: ['failed' as const], allow_duplicates: false }
      expect(retryLedger(sql, request, retention, 1_002)).toEqual({ messages: 1, pieces: 0, expired: 0 })
      expect(claimMessages(sql, 5, 1_003).messages).toMatchObject([{ id: 3, data: '"third"' }])
    }))
})
