import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Measures } from '#search/engine/query'
import { isExact, sumMeasures } from '#search/measures'

const measures = (expansions: Record<string, number>): Measures => ({
  documents: 10,
  length: 100,
  frequencies: { common: 5, constructor: 1 },
  expansions,
})

const counts = fc.dictionary(fc.constantFrom(...'abcdefghij', 'toString'), fc.integer({ min: 1, max: 20 }))

/** What a shard tells that tells no more than so many. */
const cut = (all: Record<string, number>, told: number) =>
  Object.fromEntries(
    Object.entries(all)
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, told),
  )

describe('the measures of all shards', () => {
  it('are sums, whatever terms are called', () => {
    const sum = sumMeasures([measures({ toString: 1, b: 2 }), measures({ toString: 3 })], 50)
    expect(sum).toEqual({
      documents: 20,
      length: 200,
      frequencies: { common: 10, constructor: 2 },
      expansions: { toString: 4, b: 2 },
    })
  })

  it('keep the expansions that are in most documents, of equal ones the first by name', () => {
    expect(sumMeasures([measures({ d: 1, c: 1, b: 1 }), measures({ a: 1, d: 1 })], 2).expansions).toEqual({
      d: 2,
      a: 1,
    })
  })

  it('know a term called __proto__', () => {
    const proto = JSON.parse('{"__proto__": 2}') as Record<string, number>
    expect(Object.entries(sumMeasures([measures(proto), measures(proto)], 50).expansions)).toEqual([['__proto__', 4]])
  })

  it('are exact only if nothing that was left out would change them', () => {
    let exact = 0
    fc.assert(
      fc.property(
        fc.array(counts, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (shards, told, chosen) => {
          const part = shards.map((all) => measures(cut(all, told)))
          if (!isExact(part, told, chosen)) return
          exact++
          expect(sumMeasures(part, chosen)).toEqual(sumMeasures(shards.map(measures), chosen))
        },
      ),
      { numRuns: 2000 },
    )
    expect(exact).toBeGreaterThan(100)
  })

  it('are exact where the frequent words of a language are told by all', () => {
    const zipf = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`t${i}`, Math.ceil(10_000 / (i + 1))]))
    expect(isExact([measures(cut(zipf, 500)), measures(cut(zipf, 500))], 500, 50)).toBe(true)
  })

  it('are exact where all is told', () => {
    expect(isExact([measures({ a: 1 }), measures({ b: 1, c: 2 })], 3, 1)).toBe(true)
  })
})
