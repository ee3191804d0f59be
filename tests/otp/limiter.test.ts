// Tests the durable object `Limiter`, a sliding-window rate limiter, against a simple model.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Limiter } from '#otp/limiter'
import type { Rule } from '#otp/sliding-window'
import { bound } from './support.ts'

const fresh = () => bound.LIMITER.getByName(crypto.randomUUID())
const minute = 60_000
const perMinute = (rate: number, minutes = 1): Rule => ({ minutes, rate })

/** Number of rows that the object stores. Undefined if its storage was deleted and has no table. */
const stored = (limiter: DurableObjectStub<Limiter>) =>
  runInDurableObject(limiter, (_, { storage: { sql } }) => {
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE name = 'accepted'").toArray()
    return tables.length === 0 ? undefined : sql.exec('SELECT 1 FROM accepted').toArray().length
  })

/** A simple model of the limiter, which the test compares with the real one. */
class Model {
  accepted: { id: number; at: number }[] = []

  reserve(rules: Rule[], now: number): number {
    const waits = rules.map(({ minutes, rate }) => {
      const counted = this.accepted.filter(({ at }) => at > now - minutes * minute)
      return counted.length < rate ? 0 : counted.at(-rate)!.at + minutes * minute - now
    })
    return Math.max(0, ...waits)
  }
}

const aRule = fc.record({ minutes: fc.integer({ min: 1, max: 4 }), rate: fc.integer({ min: 1, max: 5 }) })

const aStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('reserve' as const), pause: fc.integer({ min: 0, max: 90_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), which: fc.nat(20) }) },
)

describe('a limiter', () => {
  it('follows its rules for any sequence of calls', async () => {
    const run = fc.asyncProperty(
      fc.array(aRule, { minLength: 1, maxLength: 4 }),
      fc.array(aStep, { maxLength: 60 }),
      async (rules, steps) => {
        await runInDurableObject(fresh(), (limiter: Limiter) => {
          const model = new Model()
          let now = Date.now()
          for (const step of steps) {
            if (step.kind === 'release') {
              const [given] = model.accepted.splice(step.which % (model.accepted.length || 1), 1)
              if (given) limiter.release(given.id)
              continue
            }
            now += step.pause
            const wait = model.reserve(rules, now)
            const reserved = limiter.reserve(rules, now)
            if ('id' in reserved) model.accepted.push({ id: reserved.id, at: now })
            expect(reserved).toEqual(wait > 0 ? { retryAfter: Math.ceil(wait / 1_000) } : { id: expect.any(Number) })
          }
          for (const { minutes, rate } of rules)
            for (const { at } of model.accepted)
              expect(
                model.accepted.filter((other) => other.at > at - minutes * minute && other.at <= at).length,
              ).toBeLessThanOrEqual(rate)
        })
      },
    )
    await fc.assert(run, { numRuns: 100 })
  })

  it('admits the next reservation exactly when the window ends', async () => {
    const limiter = fresh()
    const now = Date.now()
    await limiter.reserve([perMinute(1)], now)
    expect(await limiter.reserve([perMinute(1)], now + minute - 1)).toEqual({ retryAfter: 1 })
    expect(await limiter.reserve([perMinute(1)], now + minute)).toHaveProperty('id')
  })

  it('applies the current rules to earlier reservations', async () => {
    const limiter = fresh()
    const now = Date.now()
    for (let i = 0; i < 3; i++) await limiter.reserve([perMinute(10, 5)], now)
    expect(await limiter.reserve([perMinute(3)], now + 1)).toEqual({ retryAfter: 60 })
    expect(await limiter.reserve([perMinute(4)], now + 1)).toHaveProperty('id')
  })

  it('counts reservations correctly after the clock went back', async () => {
    const limiter = fresh()
    const now = Date.now()
    await limiter.reserve([perMinute(2)], now)
    expect(await limiter.reserve([perMinute(2)], now - 10 * minute)).toHaveProperty('id')
    expect(await limiter.reserve([perMinute(2)], now - 10 * minute)).toEqual({ retryAfter: 660 })
    expect(await limiter.reserve([perMinute(2)], now + minute)).toHaveProperty('id')
  })

  it('never reuses an id, so that a reservation is released once', async () => {
    const limiter = fresh()
    const now = Date.now()
    const first = (await limiter.reserve([perMinute(1)], now)) as { id: number }
    await limiter.release(first.id)
    const second = await limiter.reserve([perMinute(1)], now)
    expect(second).toEqual({ id: expect.any(Number) })
    expect(second).not.toEqual(first)
    await limiter.release(first.id)
    expect(await limiter.reserve([perMinute(1)], now)).toHaveProperty('retryAfter')
  })

  it('keeps its reservations after it was evicted', async () => {
    const limiter = fresh()
    await limiter.reserve([perMinute(1)])
    await evictDurableObject(limiter)
    expect(await limiter.reserve([perMinute(1)])).toHaveProperty('retryAfter')
  })

  it('deletes reservations older than every window', async () => {
    const limiter = fresh()
    const now = Date.now()
    for (let i = 0; i < 20; i++) await limiter.reserve([perMinute(50)], now)
    await limiter.reserve([perMinute(50)], now + minute - 1)
    expect(await stored(limiter)).toBe(21)
    await limiter.reserve([perMinute(50)], now + minute)
    expect(await stored(limiter)).toBe(2)
  })

  it('deletes its storage once every reservation has expired, and starts again', async () => {
    const limiter = fresh()
    const alarm = () => runInDurableObject(limiter, (_, { storage }) => storage.getAlarm())
    const before = Date.now()
    await limiter.reserve([perMinute(1)])
    expect(await alarm()).toBeGreaterThanOrEqual(before + 2 * minute)
    await limiter.reserve([perMinute(2), perMinute(2, 10)])
    expect(await alarm()).toBeGreaterThanOrEqual(before + 20 * minute)
    // Runs the alarm before its time: the object must keep its rows and set the alarm again.
    expect(await runDurableObjectAlarm(limiter)).toBe(true)
    expect([await stored(limiter), await alarm()]).toEqual([2, expect.any(Number)])
    await evictDurableObject(limiter)
    expect(await runDurableObjectAlarm(limiter)).toBe(true)
    expect([await stored(limiter), await alarm()]).toEqual([undefined, null])
    expect(await limiter.reserve([perMinute(1)])).toHaveProperty('id')
    expect(await limiter.reserve([perMinute(1)])).toHaveProperty('retryAfter')
  })

  it('counts reservations for up to a year', async () => {
    const limiter = fresh()
    const now = Date.now()
    await limiter.reserve([perMinute(1, 525_600)], now)
    expect(await runInDurableObject(limiter, (_, { storage }) => storage.getAlarm())).toBe(now + 2 * 525_600 * minute)
    const almost = now + 525_600 * minute - 1
    expect(await limiter.reserve([perMinute(1, 525_600)], almost)).toEqual({ retryAfter: 1 })
  })

  it('keeps its storage while a reservation counts', () => {
    const aMoment = fc.record({
      pause: fc.integer({ min: 0, max: 3 * minute }),
      minutes: fc.integer({ min: 1, max: 5 }),
    })
    const run = fc.asyncProperty(fc.array(aMoment, { minLength: 1, maxLength: 20 }), async (moments) => {
      await runInDurableObject(fresh(), async (limiter: Limiter, { storage }) => {
        let now = Date.now()
        for (const { pause, minutes } of moments) {
          now += pause
          limiter.reserve([perMinute(100, minutes)], now)
          expect(await storage.getAlarm()).toBeGreaterThanOrEqual(now + minutes * minute)
        }
      })
    })
    return fc.assert(run, { numRuns: 20 })
  })

  it('makes callers wait until another caller releases its reservation', async () => {
    const limiter = fresh()
    let open = 0
    let maxOpen = 0
    const lookUp = async () => {
      const reserved = await limiter.reserveInTurn([perMinute(3)])
      if (!('id' in reserved)) return false
      maxOpen = Math.max(maxOpen, ++open)
      await Promise.resolve()
      open--
      await limiter.release(reserved.id)
      return true
    }
    expect(await Promise.all(Array.from({ length: 100 }, lookUp))).toEqual(Array.from({ length: 100 }, () => true))
    expect(maxOpen).toBeLessThanOrEqual(3)
    expect(await stored(limiter)).toBe(0)
  })

  it('admits a waiting caller when a reservation is released late', () =>
    runInDurableObject(fresh(), async (limiter: Limiter) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const late = (await limiter.reserveInTurn([perMinute(2)])) as { id: number }
        vi.advanceTimersByTime(15_000)
        await limiter.reserveInTurn([perMinute(2)])
        const waiting = limiter.reserveInTurn([perMinute(2)])
        await vi.advanceTimersByTimeAsync(15_000)
        limiter.release(late.id)
        expect(await waiting).toHaveProperty('id')
      } finally {
        vi.useRealTimers()
      }
    }))

  it('refuses all waiting callers once every reservation is kept', async () => {
    const limiter = fresh()
    const lookUp = async () => {
      const reserved = await limiter.reserveInTurn([perMinute(3)])
      if ('id' in reserved) await limiter.keep(reserved.id)
      return 'id' in reserved
    }
    const passed = await Promise.all(Array.from({ length: 50 }, lookUp))
    expect(passed.filter(Boolean)).toHaveLength(3)
  })
})
