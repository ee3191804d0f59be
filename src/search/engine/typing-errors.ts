import { Automaton, dead, start, tooMany } from './automaton.ts'
import { Reader } from './bytes.ts'
import { type Dictionary, longest } from './dictionary.ts'
import { type PostingEntry, readEntry } from './postings.ts'

const digit = /\p{Nd}/u

/**
 * Maximum number of typing errors in a word of a query: one from five letters on, two from nine on, none in a word with a
 * digit, since another phone number, part number or year is another thing.
 */
export function allowedErrors(word: string): number {
  if (digit.test(word)) return 0
  const letters = [...word].length
  return letters >= 9 ? 2 : letters >= 5 ? 1 : 0
}

/** Tells whether a word, or its beginning, is the asked one with typing errors, or without: made once, for many words. */
export function typosOf(asked: string, asBeginning: boolean): (word: string) => boolean {
  const automaton = new Automaton(asked, allowedErrors(asked))
  return (word) => {
    let state = start
    for (const character of word) {
      state = automaton.step(state, character.codePointAt(0)!)
      if (state === dead) return false
      if (asBeginning && automaton.errors(state) <= automaton.allowed) return true
    }
    return automaton.errors(state) <= automaton.allowed
  }
}

/** A term that is like the asked word. */
export interface Similar {
  entry: PostingEntry
  errors: number
  /** All of the term, not just its beginning. */
  isWhole: boolean
}

/**
 * What is similar to a word, or begins so, with at most the allowed errors. A dictionary is walked as if it were a trie: what a
 * key has in common with the one before is not read again, and what nothing similar can begin with is passed over.
 */
export class Similarity {
  readonly #automaton: Automaton
  readonly #asBeginning: boolean
  /** For the beginnings of the last key, by their bytes: the automaton's state, and the fewest errors so far. */
  readonly #states = new Int32Array(longest + 1)
  readonly #fewest = new Uint8Array(longest + 1)
  readonly #key = new Uint8Array(longest)
  /** Bytes of the last key that were read. */
  #known = 0
  /** Whether nothing similar begins with these. */
  #isHopeless = false

  constructor(word: string, asBeginning: boolean) {
    this.#automaton = new Automaton(word, allowedErrors(word))
    this.#asBeginning = asBeginning
    this.#states[0] = start
    this.#fewest[0] = tooMany
  }

  /** Visits the similar terms of a dictionary, in order; not those that begin with a byte below `least`. */
  find(dictionary: Dictionary, least: number, visit: (similar: Similar) => void) {
    const { bytes, blocks } = dictionary
    const end = blocks.at(-1)!
    const reader = new Reader(bytes)
    this.#known = 0
    this.#isHopeless = false
    for (let block = 0; reader.at < end; ) {
      const isFirst = reader.at === blocks[block]
      if (isFirst) block++
      const from = reader.number()
      const rest = reader.number()
      const suffix = reader.at
      reader.at += rest
      const size = reader.number()
      const value = reader.at
      reader.at += size
      const shared = isFirst ? this.#sharedWith(bytes, suffix, rest) : from
      if (this.#isHopeless && shared >= this.#known) {
        const last = isFirst ? this.#lastAlike(dictionary, block) : 0
        if (last < block) continue
        block = last
        reader.at = blocks[last]!
        continue
      }
      this.#read(bytes, suffix - from, shared, from + rest)
      if (shared === 0 && bytes[suffix]! < least) this.#giveUp(1)
      if (this.#isHopeless) continue
      const whole = this.#automaton.errors(this.#states[this.#known]!)
      const errors = this.#asBeginning ? this.#fewest[this.#known]! : whole
      if (errors < tooMany) visit({ entry: readEntry(new Reader(bytes, value)), errors, isWhole: whole === errors })
    }
  }

  /** Reads a key, whose bytes begin at `start`, from where it differs from the last one. */
  #read(bytes: Uint8Array, start: number, from: number, length: number) {
    const automaton = this.#automaton
    let state = this.#states[from]!
    let fewest = this.#fewest[from]!
    this.#isHopeless = false
    let at = from
    while (at < length && !this.#isHopeless) {
      const size = sizeOf(bytes[start + at]!)
      state = automaton.step(state, character(bytes, start + at, size))
      for (const end = at + size; at < end; at++) this.#key[at] = bytes[start + at]!
      const errors = automaton.errors(state)
      if (errors < fewest) fewest = errors
      this.#states[at] = state
      this.#fewest[at] = fewest
      this.#isHopeless = state === dead && !(this.#asBeginning && fewest < tooMany)
    }
    this.#known = at
  }

  #giveUp(known: number) {
    this.#known = known
    this.#isHopeless = true
  }

  /** How many bytes of a key that stands whole were read with the last one, in whole characters. */
  #sharedWith(bytes: Uint8Array, at: number, length: number): number {
    const most = Math.min(length, this.#known)
    let shared = 0
    while (shared < most && bytes[at + shared] === this.#key[shared]) shared++
    while (shared > 0 && shared < length && (bytes[at + shared]! & 0xc0) === 0x80) shared--
    return shared
  }

  /** The last block from one on whose first key begins as what was read, or the one before. */
  #lastAlike(dictionary: Dictionary, from: number): number {
    let block = from
    while (dictionary.beginsWith(block, this.#key, this.#known)) block++
    return block - 1
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
