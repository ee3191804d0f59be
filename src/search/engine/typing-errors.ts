import type { Cursor, Dictionary } from './dictionary.ts'
import { type Entry, readEntry } from './postings.ts'

/** How many typing errors a word of a query may have: one from five letters on, two from nine on. */
export function allowedErrors(word: string): number {
  const letters = [...word].length
  return letters >= 9 ? 2 : letters >= 5 ? 1 : 0
}

/** More errors than any word may have. */
const tooMany = 3

/** Whether a word, or its beginning, is the asked one with typing errors, or without. */
export function isTypo(asked: string, word: string, asBeginning: boolean): boolean {
  const distances = new Distances(asked, allowedErrors(asked))
  let depth = 0
  for (const character of word) {
    distances.step(depth++, character.codePointAt(0)!)
    if (asBeginning && distances.errorsAt(depth) <= distances.allowed) return true
    if (distances.isDead(depth)) return false
  }
  return distances.errorsAt(depth) <= distances.allowed
}

/** A term that is like the asked word. */
export interface Similar {
  entry: Entry
  errors: number
  /** All of the term, not just its beginning. */
  isWhole: boolean
}

/**
 * The terms, from a key on, that are a word with at most the allowed typing errors, or that begin so. An error is a letter too
 * many, one too few, another one, or two that changed places (optimal string alignment; the dictionary is walked as a trie).
 */
export function* findSimilar(
  dictionary: Dictionary,
  word: string,
  from: Uint8Array,
  asBeginning: boolean,
): Generator<Similar> {
  const cursor = dictionary.from(from)
  if (!cursor) return
  const walk = new Walk(word, allowedErrors(word), asBeginning)
  for (let isThere = true; isThere; ) {
    const { errors, isWhole, dead } = walk.visit(cursor)
    if (errors < tooMany) yield { entry: readEntry(cursor.value()), errors, isWhole }
    isThere = dead > 0 ? cursor.skip(dead) : cursor.next()
  }
}

/** The distances of the beginnings of one term after the other; what two in a row have in common is reckoned once. */
class Walk {
  readonly #distances: Distances
  readonly #asBeginning: boolean
  /** How many characters there are before each byte of the key. */
  readonly #depthAt = new Uint16Array(257)
  /** The fewest errors of the beginnings up to each depth. */
  readonly #fewest = new Uint8Array(130)
  #isFirst = true

  constructor(word: string, allowed: number, asBeginning: boolean) {
    this.#distances = new Distances(word, allowed)
    this.#asBeginning = asBeginning
    this.#fewest[0] = tooMany
  }

  /** `dead`: so many bytes of the key that no term which begins with them is similar; 0 if there is hope. */
  visit(cursor: Cursor): { errors: number; isWhole: boolean; dead: number } {
    const distances = this.#distances
    const { key, length } = cursor
    let at = this.#isFirst ? 0 : cursor.shared
    this.#isFirst = false
    let depth = this.#depthAt[at]!
    while (at < length) {
      const size = sizeOf(key[at]!)
      distances.step(depth++, character(key, at, size))
      at += size
      this.#depthAt[at] = depth
      const errors = distances.errorsAt(depth)
      this.#fewest[depth] = Math.min(this.#fewest[depth - 1]!, errors > distances.allowed ? tooMany : errors)
      if (distances.isDead(depth) && !(this.#asBeginning && this.#fewest[depth]! < tooMany))
        return { errors: tooMany, isWhole: false, dead: at }
    }
    const whole = distances.errorsAt(depth)
    const errors = this.#asBeginning ? this.#fewest[depth]! : whole > distances.allowed ? tooMany : whole
    return { errors, isWhole: whole === errors, dead: 0 }
  }
}

/** Bytes of a character in UTF-8, by its first one. */
const sizeOf = (byte: number) => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

function character(key: Uint8Array, at: number, size: number): number {
  const first = key[at]!
  if (size === 1) return first
  let code = first & (0xff >> (size + 1))
  for (let i = 1; i < size; i++) code = (code << 6) | (key[at + i]! & 0x3f)
  return code
}

/** Rows of the table of distances between a word's beginnings and another's, one for each character of the other. */
class Distances {
  readonly allowed: number
  readonly #word: number[]
  readonly #rows: Uint8Array[]
  readonly #characters = new Uint32Array(130)

  constructor(word: string, allowed: number) {
    this.allowed = allowed
    this.#word = Array.from(word, (one) => one.codePointAt(0)!)
    this.#rows = [Uint8Array.from({ length: this.#word.length + 1 }, (_, i) => i)]
  }

  /** Reckons the row after so many characters and one more. */
  step(depth: number, code: number) {
    const word = this.#word
    this.#characters[depth] = code
    const above = this.#rows[depth]!
    this.#rows[depth + 1] ??= new Uint8Array(word.length + 1)
    const row = this.#rows[depth + 1]!
    row[0] = Math.min(255, depth + 1)
    for (let i = 1; i <= word.length; i++) {
      let least = above[i - 1]! + (word[i - 1] === code ? 0 : 1)
      if (above[i]! + 1 < least) least = above[i]! + 1
      if (row[i - 1]! + 1 < least) least = row[i - 1]! + 1
      if (i > 1 && depth > 0 && word[i - 2] === code && word[i - 1] === this.#characters[depth - 1]) {
        const swapped = this.#rows[depth - 1]![i - 2]! + 1
        if (swapped < least) least = swapped
      }
      row[i] = least
    }
  }

  /** Errors of the whole word, after so many characters of the other. */
  errorsAt(depth: number): number {
    return this.#rows[depth]![this.#word.length]!
  }

  /** Whether no more characters could bring the errors back to what is allowed. */
  isDead(depth: number): boolean {
    const row = this.#rows[depth]!
    for (let i = 0; i < row.length; i++) if (row[i]! <= this.allowed) return false
    return true
  }
}
