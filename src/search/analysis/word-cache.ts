// Caches analyzed words, since stemming a word takes longer than looking it up.
import type { Word } from './types.ts'

/**
 * Cache of analyzed words, by their spelling. A repeated word is the same object each time. The cache has two generations: a word
 * of the old one is evicted unless it is used before the young one has 32 768 words.
 */
export class WordCache {
  readonly #analyze: (raw: string) => Word | undefined
  #young = new Map<string, Word | undefined>()
  #old = new Map<string, Word | undefined>()

  constructor(analyze: (raw: string) => Word | undefined) {
    this.#analyze = analyze
  }

  /** Returns the analyzed word between two offsets of a text; undefined if the analysis leaves nothing of the word. */
  get(text: string, start: number, end: number): Word | undefined {
    const raw = text.slice(start, end - start > maxRawLength ? truncationEnd(text, start + maxRawLength) : end)
    const known = this.#young.get(raw)
    return known ?? (this.#young.has(raw) ? undefined : this.#add(raw))
  }

  #add(raw: string) {
    const key = detached(raw)
    const known = this.#old.get(key)
    const word = known ?? (this.#old.has(key) ? undefined : this.#analyze(key))
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, word)
    return word
  }
}

const generationSize = 1 << 15

/** Maximum length of a word before analysis. It is greater than that of a term, because folding can remove many characters. */
const maxRawLength = 128

const truncationEnd = (text: string, end: number) => ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end)

/**
 * Copies a substring. In V8, a substring of 13 characters or more refers to the whole string, which the cache would keep in memory.
 */
const detached = (part: string) => (part.length < 13 ? part : part.split('').join(''))
