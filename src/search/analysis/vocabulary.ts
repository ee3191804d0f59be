import type { Word } from './analysis.ts'

/**
 * The words that were met lately, by how they are written: the same object each time. A word that has not been met while
 * 32 768 others were is forgotten.
 */
export class Vocabulary {
  readonly #make: (raw: string) => Word | undefined
  #young = new Map<string, Word | undefined>()
  #old = new Map<string, Word | undefined>()

  constructor(make: (raw: string) => Word | undefined) {
    this.#make = make
  }

  /** The word that a text has between two offsets. */
  at(text: string, start: number, end: number): Word | undefined {
    const raw = text.slice(start, end - start > longest ? cutAt(text, start + longest) : end)
    const known = this.#young.get(raw)
    return known ?? (this.#young.has(raw) ? undefined : this.#meet(raw))
  }

  #meet(raw: string) {
    const own = detached(raw)
    const known = this.#old.get(own)
    const word = known ?? (this.#old.has(own) ? undefined : this.#make(own))
    if (this.#young.size >= generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(own, word)
    return word
  }
}

const generation = 1 << 15

/** More than what terms are cut to, since folding takes much away. */
const longest = 128

const cutAt = (text: string, end: number) => ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end)

/** A copy: a part of a string keeps all of it in memory, unless it is so short that V8 copies it itself. */
const detached = (part: string) => (part.length < 13 ? part : part.split('').join(''))
