// Decides how many typos a word of a query may have, and finds the terms that match it with typos.
import { ByteReader } from './bytes.ts'
import { type Dictionary, maxKeyBytes } from './dictionary.ts'
import { deadState, LevenshteinAutomaton, startState, tooMany } from './levenshtein-automaton.ts'
import { decodeEntry, type PostingEntry } from './postings.ts'

const digit = /\p{Nd}/u

/**
 * Returns the maximum number of typos in a word of a query: one from five letters, two from nine letters. A word with a digit may
 * have none, because a similar phone number, part number or year is a different thing.
 */
export function maxTypos(word: string): number {
  if (digit.test(word)) return 0
  const letters = [...word].length
  return letters >= 9 ? 2 : letters >= 5 ? 1 : 0
}

/** Returns a function that checks whether a word, or with `asPrefix` a prefix of it, equals the query's word with at most the allowed typos. */
export function typoMatcher(queryWord: string, asPrefix: boolean): (word: string) => boolean {
  const automaton = new LevenshteinAutomaton(queryWord, maxTypos(queryWord))
  return (word) => {
    let state = startState
    for (const character of word) {
      state = automaton.step(state, character.codePointAt(0)!)
      if (state === deadState) return false
      if (asPrefix && automaton.errors(state) <= automaton.allowed) return true
    }
    return automaton.errors(state) <= automaton.allowed
  }
}

/** A term that equals a word of the query with at most the allowed typos. */
export interface FuzzyMatch {
  entry: PostingEntry
  /** Number of typos. */
  errors: number
  /** Whether the whole term matches, and not only a prefix of it. */
  isWhole: boolean
}

/**
 * Finds the terms of a dictionary that equal a word, or begin with it, with at most the allowed typos. It walks the front-coded
 * dictionary like a trie: the prefix that a key shares with the previous key is not read again, and a branch without a possible
 * match is skipped.
 */
export class FuzzyMatcher {
  readonly #automaton: LevenshteinAutomaton
  readonly #asPrefix: boolean
  /** For each prefix of the last key, by its length: the state of the automaton, and the fewest typos of any shorter prefix. */
  readonly #states = new Int32Array(maxKeyBytes + 1)
  readonly #fewest = new Uint8Array(maxKeyBytes + 1)
  readonly #key = new Uint8Array(maxKeyBytes)
  /** Number of bytes of the last key that the automaton has read. */
  #readBytes = 0
  /** Whether no match can begin with the bytes that were read. */
  #isDead = false

  constructor(word: string, asPrefix: boolean) {
    this.#automaton = new LevenshteinAutomaton(word, maxTypos(word))
    this.#asPrefix = asPrefix
    this.#states[0] = startState
    this.#fewest[0] = tooMany
  }

  /** Visits the matching terms of a dictionary in order, except those whose first byte is below `minFirstByte`. */
  find(dictionary: Dictionary, minFirstByte: number, visit: (match: FuzzyMatch) => void) {
    const { bytes, blocks } = dictionary
    const end = blocks.at(-1)!
    const reader = new ByteReader(bytes)
    this.#readBytes = 0
    this.#isDead = false
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
      const shared = isFirst ? this.#commonPrefix(bytes, suffix, rest) : from
      if (this.#isDead && shared >= this.#readBytes) {
        const last = isFirst ? this.#lastBlockOfPrefix(dictionary, block) : 0
        if (last < block) continue
        block = last
        reader.at = blocks[last]!
        continue
      }
      this.#read(bytes, suffix - from, shared, from + rest)
      if (shared === 0 && bytes[suffix]! < minFirstByte) this.#skipBranch(1)
      if (this.#isDead) continue
      const whole = this.#automaton.errors(this.#states[this.#readBytes]!)
      const errors = this.#asPrefix ? this.#fewest[this.#readBytes]! : whole
      if (errors < tooMany)
        visit({ entry: decodeEntry(new ByteReader(bytes, value)), errors, isWhole: whole === errors })
    }
  }

  /** Reads a key into the automaton, from its first difference to the last key. The bytes of the key begin at `start`. */
  #read(bytes: Uint8Array, start: number, from: number, length: number) {
    const automaton = this.#automaton
    let state = this.#states[from]!
    let fewest = this.#fewest[from]!
    this.#isDead = false
    let at = from
    while (at < length && !this.#isDead) {
      const size = characterBytes(bytes[start + at]!)
      state = automaton.step(state, decodeCharacter(bytes, start + at, size))
      for (const end = at + size; at < end; at++) this.#key[at] = bytes[start + at]!
      const errors = automaton.errors(state)
      if (errors < fewest) fewest = errors
      this.#states[at] = state
      this.#fewest[at] = fewest
      this.#isDead = state === deadState && !(this.#asPrefix && fewest < tooMany)
    }
    this.#readBytes = at
  }

  #skipBranch(length: number) {
    this.#readBytes = length
    this.#isDead = true
  }

  /**
   * Returns the length of the prefix that the first key of a block shares with the bytes read, without the start of a partial
   * character.
   */
  #commonPrefix(bytes: Uint8Array, at: number, length: number): number {
    const limit = Math.min(length, this.#readBytes)
    let shared = 0
    while (shared < limit && bytes[at + shared] === this.#key[shared]) shared++
    while (shared > 0 && shared < length && (bytes[at + shared]! & 0xc0) === 0x80) shared--
    return shared
  }

  /**
   * Returns the last block, starting with block `from`, whose first key begins with the bytes read; the block before `from` if
   * there is none.
   */
  #lastBlockOfPrefix(dictionary: Dictionary, from: number): number {
    let block = from
    while (dictionary.blockStartsWith(block, this.#key, this.#readBytes)) block++
    return block - 1
  }
}

/** Returns the size of a UTF-8 character in bytes, by its first byte. */
const characterBytes = (byte: number) => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

function decodeCharacter(key: Uint8Array, at: number, size: number): number {
  const first = key[at]!
  if (size === 1) return first
  let code = first & (0xff >> (size + 1))
  for (let i = 1; i < size; i++) code = (code << 6) | (key[at + i]! & 0x3f)
  return code
}
