// Tests the generated documents and queries, and the stopwatch, of the search benchmark.
import { describe, expect, it } from 'vitest'
import { typoMatcher } from '#search/engine/typos'
import { documentOf } from '../../../bench/search/corpus/documents.ts'
import { QueryDraw } from '../../../bench/search/corpus/queries.ts'
import { Stopwatch } from '../../../bench/search/stopwatch.ts'

const corpus = Array.from({ length: 500 }, (_, n) => documentOf(n))

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

describe('the corpus', () => {
  it('is the same at each call', () => {
    expect(documentOf(7)).toEqual(corpus[7])
    expect(new Set(corpus.map(({ text }) => text)).size).toBe(corpus.length)
  })

  it('has titles of four to nine words and texts of a hundred to a hundred and fifty', () => {
    const [titles, texts] = [
      corpus.map(({ title }) => wordsOf(title).length),
      corpus.map(({ text }) => wordsOf(text).length),
    ]
    expect([Math.min(...titles), Math.max(...titles)]).toEqual([4, 9])
    expect(Math.min(...texts)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...texts)).toBeLessThanOrEqual(150)
  })

  it('has new words without end', () => {
    const words = (count: number) => new Set(corpus.slice(0, count).flatMap(({ text }) => wordsOf(text))).size
    expect(words(500)).toBeGreaterThan(1.4 * words(250))
  })
})

describe('the queries', () => {
  const draw = () => {
    const one = new QueryDraw()
    for (const { title, text } of corpus) one.add(title, text)
    return one.draw()
  }
  const queries = draw()

  it('are the same each time', () => expect(draw()).toEqual(queries))

  it('have a result', () => {
    const found = ({ phrase, prefix3 }: typeof queries) =>
      phrase.every((one) => corpus.some(({ text }) => wordsOf(text).join(' ').includes(one))) &&
      prefix3.every((one) =>
        corpus.some(({ title, text }) => wordsOf(`${title} ${text}`).some((word) => word.startsWith(one))),
      )
    expect(found(queries)).toBe(true)
  })

  it('have the given number of typing errors', () => {
    const vocabulary = [...new Set(corpus.flatMap(({ title, text }) => wordsOf(`${title} ${text}`)))]
    const long = vocabulary.filter((word) => /^[a-z]{10}$/.test(word))
    for (const typo of [...queries.typo1, ...queries.typo2])
      expect(long.some((word) => typoMatcher(typo, false)(word))).toBe(true)
  })
})

describe('the stopwatch', () => {
  /** A clock of whole milliseconds that advances by a hundredth of a millisecond at each read. */
  const clock = () => {
    let at = 0
    return {
      now: () => {
        at += 0.01
        return Math.floor(at)
      },
      work: (milliseconds: number) => () => {
        at += milliseconds
      },
    }
  }

  it.each([0.25, 0.5, 1, 3.75])('measures %d ms with a clock of whole milliseconds', (milliseconds) => {
    const { now, work } = clock()
    expect(new Stopwatch(now).time(work(milliseconds))).toBeCloseTo(milliseconds, 1)
  })
})
