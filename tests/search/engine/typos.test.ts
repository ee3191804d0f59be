// Tests the search with typos against the textbook algorithm of the edit distance.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter, toBytes } from '#search/engine/bytes'
import { Dictionary, DictionaryWriter } from '#search/engine/dictionary'
import { encodeEntry } from '#search/engine/postings'
import { type FuzzyMatch, FuzzyMatcher, maxTypos, typoMatcher } from '#search/engine/typos'
import { runs } from '../../support/tier.ts'

/** Optimal string alignment distance, by the textbook algorithm: extra, missing and wrong letters, and swapped neighbours. */
function distance(one: readonly string[], other: readonly string[]): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(Math.min(change, rows[i - 1]![j]! + 1, row[j - 1]! + 1, isSwap ? rows[i - 2]![j - 2]! + 1 : change))
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}

const asBeginning = (asked: string, word: string) =>
  Math.min(...[...word, ''].map((_, i) => distance([...asked], [...word].slice(0, i))))

const letters = fc.constantFrom('a', 'b', 'c', 'é', '東')
const word = fc.string({ unit: letters, minLength: 1, maxLength: 12 })

describe('typos', () => {
  it.each([
    ['word', 0],
    ['words', 1],
    ['password', 1],
    ['passwords', 2],
    ['слово', 1],
    ['😀😀😀😀', 0],
    ['87015551234', 0],
    ['ab12345', 0],
    ['٨٧٠١٥٥٥١٢٣٤', 0],
  ])('of %s are at most %d', (text, errors) => {
    expect(maxTypos(text)).toBe(errors)
  })

  it('are inserted, missing, replaced and transposed letters', () => {
    fc.assert(
      fc.property(word, word, (asked, other) => {
        const allowed = maxTypos(asked)
        expect(typoMatcher(asked, false)(other)).toBe(distance([...asked], [...other]) <= allowed)
        expect(typoMatcher(asked, true)(other)).toBe(asBeginning(asked, other) <= allowed)
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('are found in a dictionary, with their number', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 150 }), word, fc.boolean(), (words, asked, beginning) => {
        const found: FuzzyMatch[] = []
        new FuzzyMatcher(asked, beginning).find(dictionaryOf(words), 2, (one) => found.push(one))
        const expected = words.flatMap((one) => {
          const whole = distance([...asked], [...one])
          const errors = beginning ? asBeginning(asked, one) : whole
          return errors <= maxTypos(asked) ? [{ count: lengths(one), errors, isWhole: errors === whole }] : []
        })
        const flat = found.map(({ entry, errors, isWhole }) => ({ count: entry.count, errors, isWhole }))
        expect(sorted(flat)).toEqual(sorted(expected))
      }),
      { numRuns: runs(500) },
    )
  })
})

const sorted = (all: object[]) => all.map((one) => JSON.stringify(one)).sort()

/** Returns a number that tells the words of the test dictionary apart, used as their value. */
const lengths = (text: string) => [...text].reduce((sum, one) => (sum * 31 + one.codePointAt(0)!) % 65_521, 1) + 1

function dictionaryOf(words: readonly string[]): Dictionary {
  const writer = new DictionaryWriter()
  for (const one of ['\u0001a', '\u0001ab', ...[...words].sort()]) {
    const value = new ByteWriter()
    encodeEntry(value, { count: lengths(one), change: 1, offset: 0, length: 1, positionsLength: 0, last: 0 })
    writer.add(toBytes(one), value.view())
  }
  return new Dictionary(writer.end())
}
