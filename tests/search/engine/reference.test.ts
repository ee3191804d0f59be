// Compares the ranking of the engine with a simple implementation of the same rules.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Word } from '#search/analysis/types'
import type { NewIndexedDocument, Variant } from '#search/engine/indexed-document'
import { typoMatcher } from '#search/engine/typos'
import { parseQuery } from '#search/parse-query'
import { runs } from '../../support/tier.ts'
import { analyzerFor, document, find, inStorage, open } from './inverted.ts'

const vocabulary = [
  'wing',
  'wings',
  'winged',
  'window',
  'flow',
  'flows',
  'flown',
  'flight',
  'flights',
  'the',
  'of',
  'aerodynamic',
  'areodynamic',
  'aerodynamics',
]
const words = (most: number) =>
  fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: most }).map((all) => all.join(' '))
const documents = fc
  .array(fc.record({ title: fc.option(words(4)), text: words(10) }), { minLength: 1, maxLength: 25 })
  .map((all) => all.map(({ title, text }, i) => document(String(i), text, title)))

const wordsOf = (variant: Variant, text: string): Word[] => {
  const all: Word[] = []
  analyzerFor(variant).forEachWord(text, (word) => all.push(word))
  return all
}

const codes = (scored: { code: string; score: number }[]) =>
  scored.sort((a, b) => b.score - a.score || Number(a.code) - Number(b.code)).map(({ code }) => code)

it('typeahead ranks by typos, then exact words before prefixes, then by length', () =>
  fc.assert(
    fc.asyncProperty(documents, words(3), fc.nat(8), async (all, text, cut) => {
      const query = text.slice(0, Math.max(1, text.length - cut)).trim()
      const { words: asked, last } = parseQuery(query, analyzerFor('typeahead'), 'typeahead')
      const scored = all.flatMap(({ code, text: full }) => {
        const own = wordsOf('typeahead', full)
        const costs = asked.map(({ term }) =>
          Math.min(...own.map((word) => cost(term, word.term, term === last?.term))),
        )
        const sum = costs.reduce((total, one) => total + one, 0)
        return Number.isFinite(sum) ? [{ code, score: -1000 * sum - own.length }] : []
      })
      const found = await inStorage((storage) => {
        const index = open(storage, 'typeahead')
        index.write(all)
        return find(index, 'typeahead', query)
      })
      expect(found.codes).toEqual(codes(scored))
      expect(found.total).toBe(scored.length)
    }),
    { numRuns: runs(60) },
  ))

/** Returns the cost of the cheapest match: 2 for each typo, and 1 more if only a prefix of the word matches. */
function cost(asked: string, word: string, asBeginning: boolean): number {
  const beginnings = asBeginning ? Array.from(word, (_, i) => word.slice(0, i + 1)) : []
  const ways = [...beginnings.map((one) => 2 * errors(asked, one) + 1), 2 * errors(asked, word)]
  return Math.min(...ways)
}

/** Returns the number of typos between two words, or Infinity if there are more than `typoMatcher` allows. */
function errors(asked: string, word: string): number {
  if (asked === word) return 0
  if (!typoMatcher(asked, false)(word)) return Number.POSITIVE_INFINITY
  return asked.length < 9 || isOneAway(asked, word) ? 1 : 2
}

function isOneAway(one: string, other: string): boolean {
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const rest = [one.slice(from), other.slice(from)] as const
  const [a, b] = rest
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return true
  return a.slice(0, 2) === [...b.slice(0, 2)].reverse().join('') && a.slice(2) === b.slice(2)
}

it('fulltext ranks by BM25, in which a title word counts three times', () =>
  fc.assert(
    fc.asyncProperty(documents, words(3), async (all, query) => {
      const scored = scoreByTheBook(all, query)
      const found = await inStorage((storage) => {
        const index = open(storage, 'fulltext')
        index.write(all)
        return find(index, 'fulltext', `${query} "`) // An unpaired quotation mark is punctuation.
      })
      const byCode = new Map(found.codes.map((code, i) => [code, found.scores[i]!]))
      expect(byCode.size).toBe(scored.length)
      for (const { code, score } of scored) expect(byCode.get(code)).toBeCloseTo(score, 9)
      expect(found.scores).toEqual([...found.scores].sort((a, b) => b - a))
    }),
    { numRuns: runs(60) },
  ))

const [k1, b] = [1.5, 0.75]

function scoreByTheBook(all: NewIndexedDocument[], query: string) {
  const { words: asked, last } = parseQuery(query, analyzerFor('fulltext'), 'fulltext')
  const counted = all.map(({ code, title, text }) => {
    const [inTitle, inText] = [wordsOf('fulltext', title ?? ''), wordsOf('fulltext', text)]
    return { code, inTitle, inText, length: 3 * inTitle.length + inText.length }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  const having = (test: (word: Word) => boolean) =>
    counted.filter(({ inTitle, inText }) => [...inTitle, ...inText].some(test)).length
  const idf = (n: number) => Math.log(1 + (all.length - n + 0.5) / (n + 0.5))
  const clauses = asked.map(({ term }) => ({ term, weight: idf(having((word) => word.term === term)) }))
  if (last) {
    const own = new Set(asked.map(({ term }) => term))
    const begun = new Map<string, number>()
    const forms = new Set(counted.flatMap(({ inTitle, inText }) => [...inTitle, ...inText].map(({ word }) => word)))
    for (const form of forms) {
      const term = wordsOf('fulltext', form)[0]!.term
      if (form.startsWith(last.word) && !own.has(term))
        begun.set(term, (begun.get(term) ?? 0) + having(({ word }) => word === form))
    }
    const together = Math.min(
      all.length,
      [...begun.values()].reduce((sum, one) => sum + one, 0),
    )
    for (const term of begun.keys()) clauses.push({ term, weight: 0.3 * idf(together) })
  }
  return counted.flatMap(({ code, inTitle, inText, length }) => {
    const score = clauses.reduce((sum, { term, weight }) => {
      const count = (of: Word[]) => of.filter((word) => word.term === term).length
      const frequency = 3 * count(inTitle) + count(inText)
      return sum + (weight * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / average))
    }, 0)
    return score > 0 ? [{ code, score }] : []
  })
}
