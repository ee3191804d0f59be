// Draws the queries of the search benchmark from its documents, the same in each run. Each query has results.
import { type Random, randomOf } from '../../../scripts/lib/random.ts'
import { documentOf } from './documents.ts'
import { english } from './english.ts'
import { misspell } from './typos.ts'

/** The kinds of queries. */
export const kinds = {
  word: 'one word',
  words: 'three words',
  phrase: 'a phrase',
  prefix1: '1 letter',
  prefix2: '2 letters',
  prefix3: '3 letters',
  prefix5: '5 letters',
  typo1: 'a typo in 10 letters',
  typo2: 'two typos in 10 letters',
}
export type QueryKind = keyof typeof kinds

/**
 * Queries of each kind, as folded words of letters and digits. Rare and frequent words alternate, so that any part of
 * the list is representative.
 */
export type Queries = Record<QueryKind, string[]>

const each = 100

/** Counts the words of documents, and draws queries from them. */
export class QueryDraw {
  readonly #frequencies = new Map<string, number>()
  #documents = 0

  add(title: string, text: string) {
    this.#documents++
    for (const word of new Set(wordsOf(`${title} ${text}`)))
      this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1)
  }

  draw(): Queries {
    const random = randomOf(1)
    const words = this.#stratified(random)
    const beginnings = words.filter((word) => /^[a-z]{6,}$/.test(word))
    const prefixes = (length: number) => beginnings.slice(0, each).map((word) => word.slice(0, length))
    const long = this.#longWords(random)
    return {
      word: words.slice(0, each),
      words: this.#runs(random, (text) => threeOf(random, text)),
      phrase: this.#runs(random, (text) => runOf(random, text)),
      prefix1: prefixes(1),
      prefix2: prefixes(2),
      prefix3: prefixes(3),
      prefix5: prefixes(5),
      typo1: long.map((word) => misspell(random, word, 1)),
      typo2: long.map((word) => misspell(random, word, 2)),
    }
  }

  /**
   * Draws words equally from those in one document, in two or three, in four to seven, and so on, so that rare words
   * are not all.
   */
  #stratified(random: Random): string[] {
    const telling = [...this.#frequencies].filter(([word]) => !stopwords.has(word))
    const strata = Map.groupBy(telling, ([, documents]) => Math.floor(Math.log2(documents)))
    const ordered = [...strata].sort(([a], [b]) => b - a).map(([, stratum]) => stratum.map(([word]) => word))
    return Array.from({ length: 4 * each }, (_, n) => pick(random, ordered[n % ordered.length]!))
  }

  #longWords(random: Random): string[] {
    const long = [...this.#frequencies.keys()].filter((word) => /^[a-z]{10}$/.test(word))
    return Array.from({ length: each }, () => pick(random, long))
  }

  #runs(random: Random, draw: (text: string) => string | undefined): string[] {
    const runs: string[] = []
    while (runs.length < each) {
      const run = draw(documentOf(random.between(0, this.#documents - 1)).text)
      if (run) runs.push(run)
    }
    return runs
  }
}

const pick = (random: Random, of: string[]) => of[random.between(0, of.length - 1)]!
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

// Frequent words, which queries do not contain.
const stopwords = new Set(english.slice(0, 100))

function threeOf(random: Random, text: string): string | undefined {
  const telling = [...new Set(wordsOf(text))].filter((word) => !stopwords.has(word))
  return telling.length < 3 ? undefined : Array.from({ length: 3 }, () => pick(random, telling)).join(' ')
}

/** Two or three consecutive words of a text, of which at least one is not a stop word. Undefined if there are none. */
function runOf(random: Random, text: string): string | undefined {
  const sentence = wordsOf(pick(random, text.split(/[.,]/)))
  const length = random.between(2, 3)
  const run = sentence.slice(random.between(0, Math.max(0, sentence.length - length))).slice(0, length)
  return run.length === length && run.some((word) => !stopwords.has(word)) ? run.join(' ') : undefined
}
