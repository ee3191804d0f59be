// Tests the rate limits of deliveries: `max_per_second`, and the adaptive rate of an outlet that throttles.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimMessages } from '#delivery/ledger/claims'
import { reportOf } from '#delivery/ledger/counts'
import { readHead } from '#delivery/ledger/head'
import { allowed, graceMs, nextAfter, waitFor } from '#delivery/ledger/rate'
import { settleMessages } from '#delivery/ledger/settlement'
import { createSlices, endSlice } from '#delivery/ledger/slices'
import { databases } from '../support/databases.ts'
import { books, fill, onTables, recipient } from './books.ts'
import { deliveryOn, start } from './support.ts'

describe('a rate', () => {
  const steps = fc.array(fc.record({ ms: fc.nat({ max: 700 }), most: fc.integer({ min: 0, max: 5 }) }), {
    maxLength: 300,
  })

  it('is never exceeded in any period by more than the grace period allows', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 500, noNaN: true }), steps, (perSecond, steps) => {
        const taken: number[] = []
        let rate = { max_per_second: perSecond, next_at: 0 }
        let now = 1_000
        for (const { ms, most } of steps) {
          now += ms
          const n = Math.min(most, allowed(rate, now))
          rate = { ...rate, next_at: nextAfter(rate, n, now) }
          for (let i = 0; i < n; i++) taken.push(now)
        }
        for (let from = 0; from < taken.length; from += 7) {
          const stretch = (taken.at(-1)! - taken[from]! + graceMs) / 1_000
          expect(taken.length - from).toBeLessThanOrEqual(stretch * perSecond + 1 + 1e-6)
        }
      }),
    )
  })

  it('is reached by a sender that always takes the allowed number', () => {
    for (const perSecond of [0.5, 3, 10, 99.5, 1_000]) {
      let rate = { max_per_second: perSecond, next_at: 0 }
      let now = 1_000
      let taken = 0
      while (now < 101_000) {
        const n = Math.min(5, allowed(rate, now))
        taken += n
        rate = { ...rate, next_at: nextAfter(rate, n, now) }
        // Adds up to 2 ms, as a timer that fires late does.
        now += Math.max(1, waitFor(rate, now)) + (now % 3)
      }
      expect(taken / (100 * perSecond)).toBeGreaterThan(0.95)
      expect(taken / (100 * perSecond)).toBeLessThan(1.05)
    }
  })

  it('is unlimited if it is null', () => {
    const none = { max_per_second: null, next_at: 0 }
    expect([allowed(none, 5), waitFor(none, 5), nextAfter(none, 7, 5)]).toEqual([Number.POSITIVE_INFINITY, 0, 0])
  })
})

describe('the claims of a delivery with a rate', () => {
  it.each([
    [10, 1],
    [50, 4],
    [400, 8],
  ])('are %d per second with %d slices', (perSecond, slices) =>
    onTables((sql) => {
      books(sql, { max_per_second: perSecond, max: 1_000, gap: 1_000, has_email: false, has_feed: false })
      const total = perSecond * 20
      fill(
        sql,
        1,
        Array.from({ length: total }, (_, i) => ({ ...recipient(i), messages: [recipient(i).messages[1]!] })),
      )
      let claimed = 0
      let now = 0
      const turnAt = Array.from({ length: slices }, (_, i) => i * 3)
      while (claimed < total && now < 60_000) {
        const next = turnAt.indexOf(Math.min(...turnAt))
        now = turnAt[next]!
        const { messages, wait } = claimMessages(sql, 5, now)
        claimed += messages.length
        settleMessages(
          sql,
          messages.map(({ id, claim }) => ({ id, claim, state: 'sent' })),
          now,
        )
        turnAt[next] = now + Math.max(4, wait ?? 1_000)
      }
      const seconds = now / 1_000
      expect(claimed).toBe(total)
      expect(claimed / seconds / perSecond).toBeGreaterThan(0.95)
      expect(claimed / seconds / perSecond).toBeLessThan(1.05)
    }),
  )

  it('start with one slice, and get more if the rate is not reached', () =>
    onTables((sql) => {
      books(sql, { max_per_second: 100, max: 1_000, gap: 1_000, has_email: false, has_feed: false })
      fill(
        sql,
        1,
        Array.from({ length: 500 }, (_, i) => recipient(i)),
      )
      const slices = () => sql.exec<{ n: number }>('SELECT count(*) AS n FROM slices').one().n
      createSlices(sql, readHead(sql)!, 1, 0)
      expect(slices()).toBe(1)
      const ask = (now: number) => {
        const { messages, ...rest } = claimMessages(sql, 5, now)
        settleMessages(
          sql,
          messages.map(({ id, claim }) => ({ id, claim, state: 'sent' })),
          now,
        )
        return { ...rest, messages: messages.length }
      }
      expect(ask(1_000)).toMatchObject({ messages: 1, isLate: false, wait: 10 })
      expect(ask(1_040)).toMatchObject({ messages: 4, isLate: false, wait: 10 })
      expect(ask(1_045)).toMatchObject({ messages: 0, isLate: false, wait: 5 })
      expect(ask(2_000)).toMatchObject({ messages: 5, isLate: true })
      createSlices(sql, readHead(sql)!, 2, 0)
      expect(slices()).toBe(2)
      endSlice(sql, 1)
      createSlices(sql, readHead(sql)!, Number.POSITIVE_INFINITY, 0)
      expect(slices()).toBe(10)
    }))
})

describe('an outlet that throttles', () => {
  /**
   * Sends all messages through an outlet that accepts one message per second, with a burst of three. It throttles when more are
   * sent.
   */
  function sendAll(sql: SqlStorage, total: number) {
    books(sql, { max: 1_000, gap: 1_000, has_email: false, has_feed: false })
    fill(
      sql,
      1,
      Array.from({ length: total }, (_, i) => ({ ...recipient(i), messages: [recipient(i).messages[1]!] })),
    )
    let [tokens, filledAt, refused, now] = [3, 0, 0, 0]
    const take = () => {
      tokens = Math.min(3, tokens + (now - filledAt) / 1_000)
      filledAt = now
      if (tokens < 1) return { state: 'held', reason: 'throttled', hold: 'quota', isThrottled: true } as const
      tokens--
      return { state: 'sent' } as const
    }
    for (; readHead(sql)!.status === 'started' && now < 10_000_000; now += 20) {
      const { messages } = claimMessages(sql, 5, now)
      const settled = messages.map(({ id, claim }) => ({ id, claim, ...take() }))
      refused += settled.filter(({ state }) => state === 'held').length
      settleMessages(sql, settled, now)
    }
    return { refused, seconds: now / 1_000, report: reportOf(readHead(sql)!).sms }
  }

  it('gets all messages at about its own rate, and throttles less than 2 % of them', () =>
    onTables((sql) => {
      const { refused, seconds, report } = sendAll(sql, 1_000)
      expect(report).toMatchObject({ sent: 1_000, failed: 0, unknown: 0 })
      expect(refused).toBeLessThan(20)
      expect(seconds).toBeLessThan(2_000)
    }))
})

describe('a slice of a delivery with a rate', () => {
  const tested = deliveryOn(databases[0]!)
  const { queue, channels, env } = tested

  it('waits for short delays, and creates a delayed slice for long ones', async () => {
    const { id } = await start(tested, { has_email: false, has_feed: false, max: 5, max_per_second: 20 })
    const ledger = await tested.ledgerOf(id)
    await queue.perform(tested, queue.at('/piece', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    await queue.perform(tested, queue.at('/slice', ledger)[0]!)
    expect(channels.sms.sent).toHaveLength(5)

    const slow = await start(tested, { has_email: false, has_feed: false, max: 5, max_per_second: 0.001 })
    const its = await tested.ledgerOf(slow.id)
    await queue.perform(tested, queue.at('/piece', its)[0]!)
    await env.LEDGER.getByName(its).wake()
    await queue.perform(tested, queue.at('/slice', its)[0]!)
    await env.LEDGER.getByName(its).wake()
    const [next] = queue.at('/slice', its)
    expect(next!.delay).toBeGreaterThan(900)
    expect(next!.delay).toBeLessThanOrEqual(1_000)
    expect(channels.sms.sent).toHaveLength(6)

    const hardly = await start(tested, { has_email: false, has_feed: false, max: 5, max_per_second: 1e-310 })
    const other = await tested.ledgerOf(hardly.id)
    await queue.perform(tested, queue.at('/piece', other)[0]!)
    await env.LEDGER.getByName(other).wake()
    await queue.perform(tested, queue.at('/slice', other)[0]!)
    await env.LEDGER.getByName(other).wake()
    expect(queue.at('/slice', other)).toMatchObject([{ delay: 3_600 }])
    expect(channels.sms.sent).toHaveLength(7)

    const faster = { name: 'Sale', min: 1, max: 5, gap: 5, max_per_second: 0 }
    await tested.send('PATCH', '/delivery', { id: slow.id, ...faster })
    await queue.run(tested, its)
    expect(channels.sms.sent).toHaveLength(11)
  })
})
