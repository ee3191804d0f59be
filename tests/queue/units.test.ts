// Tests of the queue's small functions: pieces of a range, the retry delay, task ids and the rate.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoff } from '#queue/backoff'
import { countPieces, type Piece, pieceAt } from '#queue/fractions'
import { Rate } from '#queue/rate'
import { formatTaskId, parseTaskId } from '#queue/task-id'
import { runs } from '../support/tier.ts'

const bound = 1e15
const some = { numRuns: runs(1_000) }

/** A random range of up to a hundred pieces, anywhere between the bounds of the API. */
const range = fc
  .record({
    min: fc.integer({ min: -bound, max: bound }),
    gap: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: bound })),
    pieces: fc.integer({ min: 1, max: 100 }),
    short: fc.nat(),
  })
  .map(({ min, gap, pieces, short }) => ({ min, gap, max: Math.min(bound, min + gap * pieces - 1 - (short % gap)) }))
  .filter(({ min, max }) => max >= min)

function piecesOf({ min, max, gap }: Piece & { gap: number }) {
  const pieces: Piece[] = []
  for (let next = min; next <= max; next = pieces.at(-1)!.max + 1) pieces.push(pieceAt(next, { max, gap }))
  return pieces
}

describe('the pieces of a range', () => {
  it('cover it completely, without overlaps', () => {
    fc.assert(
      fc.property(range, (range) => {
        const pieces = piecesOf(range)
        expect(pieces[0]!.min).toBe(range.min)
        expect(pieces.at(-1)!.max).toBe(range.max)
        for (const [i, piece] of pieces.entries()) {
          expect(piece.max).toBeGreaterThanOrEqual(piece.min)
          if (i > 0) expect(piece.min).toBe(pieces[i - 1]!.max + 1)
        }
      }),
      some,
    )
  })

  it('have `gap` items each, the last piece at most `gap`', () => {
    fc.assert(
      fc.property(range, (range) => {
        const sizes = piecesOf(range).map(({ min, max }) => max - min + 1)
        const last = sizes.pop()
        expect(sizes.every((size) => size === range.gap)).toBe(true)
        expect(last).toBeLessThanOrEqual(range.gap)
      }),
      some,
    )
  })

  it('are as many as `countPieces` returns', () => {
    fc.assert(
      fc.property(range, (range) => {
        expect(countPieces(range)).toBe(piecesOf(range).length)
      }),
      some,
    )
  })

  it('are exact at the limits of safe integers', () => {
    const all = { min: -bound, max: bound }
    expect(pieceAt(-bound, { ...all, gap: bound })).toEqual({ min: -bound, max: -1 })
    expect(pieceAt(0, { ...all, gap: bound })).toEqual({ min: 0, max: bound - 1 })
    expect(pieceAt(bound, { ...all, gap: bound })).toEqual({ min: bound, max: bound })
    expect(pieceAt(bound - 1, { ...all, gap: 1 })).toEqual({ min: bound - 1, max: bound - 1 })
    expect(countPieces({ ...all, gap: 1 })).toBe(2e15 + 1)
    expect(countPieces({ ...all, gap: 2 })).toBe(1e15 + 1)
    expect(countPieces({ ...all, gap: bound })).toBe(3)
  })
})

describe('the retry delay', () => {
  const hour = 3_600_000
  const delay = fc.integer({ min: 0, max: 86_400_000 })
  const tries = fc.integer({ min: 1, max: 1_001 })
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

  it('doubles after each failure, up to an hour', () => {
    const waits = [1, 2, 3, 4, 20, 1_001].map((tries) => backoff(10_000, tries, 1))
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, hour, hour])
  })

  it('stays the initial delay if that is more than an hour', () => {
    expect([1, 2, 1_001].map((tries) => backoff(5 * hour, tries, 1))).toEqual([5 * hour, 5 * hour, 5 * hour])
  })

  it('is an integer between half of the delay and the full delay', () => {
    fc.assert(
      fc.property(delay, tries, random, (delay, tries, random) => {
        const wait = backoff(delay, tries, random)
        const full = Math.min(delay * 2 ** (tries - 1), Math.max(hour, delay))
        expect(Number.isSafeInteger(wait)).toBe(true)
        expect(wait).toBeGreaterThanOrEqual(Math.floor(full / 2))
        expect(wait).toBeLessThanOrEqual(Math.ceil(full))
      }),
      some,
    )
  })

  it('has jitter', () => {
    expect(new Set(Array.from({ length: 20 }, () => backoff(hour, 1))).size).toBeGreaterThan(1)
    expect([0, 0.5, 1].map((random) => backoff(1_000, 1, random))).toEqual([500, 750, 1_000])
  })
})

describe("a task's id", () => {
  const worker = fc.stringMatching(/^\w[\w.-]{0,63}$/)

  it('contains worker and number, also if the name has dashes and digits', () => {
    fc.assert(
      fc.property(worker, fc.integer({ min: 1, max: 999_999_999_999_999 }), (worker, number) => {
        expect(parseTaskId(formatTaskId({ worker, number }))).toEqual({ worker, shard: 0, number })
      }),
      some,
    )
    expect(parseTaskId('a-1-2')).toEqual({ worker: 'a-1', shard: 0, number: 2 })
    expect(parseTaskId('a--2')).toEqual({ worker: 'a-', shard: 0, number: 2 })
  })

  it.each([
    '',
    '-',
    'a',
    '1',
    '-1',
    'a-',
    'a-0',
    'a-01',
    'a-1.5',
    'a-1e3',
    'a- 1',
    'a-1 ',
    'a-x',
    `a-${'9'.repeat(16)}`,
  ])('cannot be %j', (id) => expect(parseTaskId(id)).toBeUndefined())
})

describe('the rate', () => {
  it('is the number of events of the last minute per second', () => {
    const rate = new Rate()
    expect(rate.perSecond(5_000)).toBe(0)
    rate.count(30, 5_000)
    rate.count(30, 5_999)
    rate.count(60, 30_000)
    expect(rate.perSecond(30_000)).toBe(2)
    expect(rate.perSecond(64_999)).toBe(2)
    expect(rate.perSecond(65_000)).toBe(1)
    expect(rate.perSecond(89_999)).toBe(1)
    expect(rate.perSecond(90_000)).toBe(0)
  })

  it('ignores events before a long pause', () => {
    const rate = new Rate()
    for (let second = 0; second < 60; second++) rate.count(60, second * 1_000)
    expect(rate.perSecond(59_000)).toBe(60)
    rate.count(60, 10_000_000)
    expect(rate.perSecond(10_000_000)).toBe(1)
  })

  it('works when the clock goes back', () => {
    const rate = new Rate()
    rate.count(60, 100_000)
    rate.count(60, 99_000)
    expect(rate.perSecond(100_000)).toBe(2)
  })

  it('equals the sum of the last minute for random events', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 90_000 }), fc.nat({ max: 50 })), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (steps) => {
        const rate = new Rate()
        const seen: [number, number][] = []
        let now = 0
        for (const [wait, events] of steps) {
          now += wait
          rate.count(events, now)
          seen.push([Math.floor(now / 1_000), events])
        }
        const second = Math.floor(now / 1_000)
        const recent = seen.filter(([at]) => at > second - 60).reduce((sum, [, events]) => sum + events, 0)
        expect(rate.perSecond(now)).toBeCloseTo(recent / 60)
      }),
    )
  })
})
