// Tests the sums of word statistics over shards.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTopExact, sumStatistics } from '#search/collection-statistics'
import type { CollectionStatistics } from '#search/engine/query'

const statistics = (expansions: Record<string, number>): CollectionStatistics => ({
  documentCount: 10,
  totalLength: 100,
  documentFrequencies: { common: 5, constructor: 1 },
  expansions,
})

const counts = fc.dictionary(fc.constantFrom(...'abcdefghij', 'toString'), fc.integer({ min: 1, max: 20 }))

/** Returns the most frequent expansions, as a shard sends them if it sends at most `candidates`. */
const truncate = (all: Record<string, number>, candidates: number) =>
  Object.fromEntries(
    Object.entries(all)
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, candidates),
  )

describe('the collection statistics', () => {
  it('are the sums of all shards, also for terms such as constructor and toString', () => {
    const sum = sumStatistics([statistics({ toString: 1, b: 2 }), statistics({ toString: 3 })], 50)
    expect(sum).toEqual({
      documentCount: 20,
      totalLength: 200,
      documentFrequencies: { common: 10, constructor: 2 },
      expansions: { toString: 4, b: 2 },
    })
  })

  it('keep the most frequent expansions, of equal ones the first by name', () => {
    expect(sumStatistics([statistics({ d: 1, c: 1, b: 1 }), statistics({ a: 1, d: 1 })], 2).expansions).toEqual({
      d: 2,
      a: 1,
    })
  })

  it('count a term named __proto__', () => {
    const proto = JSON.parse('{"__proto__": 2}') as Record<string, number>
    expect(Object.entries(sumStatistics([statistics(proto), statistics(proto)], 50).expansions)).toEqual([
      ['__proto__', 4],
    ])
  })

  it('are reported as exact only if the expansions that shards left out do not change them', () => {
    let exact = 0
    fc.assert(
      fc.property(
        fc.array(counts, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (shards, candidates, k) => {
          const part = shards.map((all) => statistics(truncate(all, candidates)))
          if (!isTopExact(part, candidates, k)) return
          exact++
          expect(sumStatistics(part, k)).toEqual(sumStatistics(shards.map(statistics), k))
        },
      ),
      { numRuns: 2000 },
    )
    expect(exact).toBeGreaterThan(100)
  })

  it('are exact if all shards send the frequent words of a language', () => {
    const zipf = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`t${i}`, Math.ceil(10_000 / (i + 1))]))
    expect(isTopExact([statistics(truncate(zipf, 500)), statistics(truncate(zipf, 500))], 500, 50)).toBe(true)
  })

  it('are exact if all shards send all expansions', () => {
    expect(isTopExact([statistics({ a: 1 }), statistics({ b: 1, c: 2 })], 3, 1)).toBe(true)
  })
})
