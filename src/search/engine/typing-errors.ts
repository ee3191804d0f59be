import { Automaton, dead, start, tooMany } from './automaton.ts'
import { type Cursor, type Dictionary, longest } from './dictionary.ts'
import { type Entry, readEntry } from './postings.ts'

/** How many typing errors a word of a query may have: one from five letters on, two from nine on. */
export function allowedErrors(word: string): number {
  const letters = [...word].length
  return letters >= 9 ? 2 : letters >= 5 ? 1 : 0
}

/** Whether a word, or its beginning, is the asked one with typing errors, or without. */
export function isTypo(asked: string, word: string, asBeginning: boolean): boolean {
  const automaton = new Automaton(asked, allowedErrors(asked))
  let state = start
  for (const character of word) {
    state = automaton.step(state, character.codePointAt(0)!)
    if (state === dead) return false
    if (asBeginning && automaton.errors(state) <= automaton.allowed) return true
  }
  return automaton.errors(state) <= automaton.allowed
}

/** A term that is like the asked word. */
export interface Similar {
  entry: Entry
  errors: number
  /** All of the term, not just its beginning. */
  isWhole: boolean
}

/** What is similar to a word, or begins so, with at most the allowed errors; a dictionary is walked as if it were a trie. */
export class Similarity {
  readonly #automaton: Automaton
  readonly #asBeginning: boolean
  /** For the beginnings of the last key, by their bytes: the automaton's state, and the fewest errors so far. */
  readonly #states = new Int32Array(longest + 1)
  readonly #fewest = new Uint8Array(longest + 1)

  constructor(word: string, asBeginning: boolean) {
    this.#automaton = new Automaton(word, allowedErrors(word))
    this.#asBeginning = asBeginning
    this.#states[0] = start
    this.#fewest[0] = tooMany
  }

  /** The similar terms of a dictionary, from a key on. */
  *find(dictionary: Dictionary, from: Uint8Array): Generator<Similar> {
    const cursor = dictionary.from(from)
    if (!cursor) return
    let shared = 0
    for (let isThere = true; isThere; shared = cursor.shared) {
      const hopeless = this.#read(cursor, shared)
      if (hopeless === 0) {
        const whole = this.#automaton.errors(this.#states[cursor.length]!)
        const errors = this.#asBeginning ? this.#fewest[cursor.length]! : whole
        if (errors < tooMany) yield { entry: readEntry(cursor.value()), errors, isWhole: whole === errors }
      }
      isThere = hopeless > 0 ? cursor.skip(hopeless) : cursor.next()
    }
  }

  /** Reads a key from where it differs from the last one; so many bytes that nothing which begins with them is similar, or 0. */
  #read({ key, length }: Cursor, from: number): number {
    const automaton = this.#automaton
    let state = this.#states[from]!
    let fewest = this.#fewest[from]!
    for (let at = from; at < length; ) {
      const size = sizeOf(key[at]!)
      state = automaton.step(state, character(key, at, size))
      at += size
      if (state === dead && !(this.#asBeginning && fewest < tooMany)) return at
      const errors = automaton.errors(state)
      if (errors < fewest) fewest = errors
      this.#states[at] = state
      this.#fewest[at] = fewest
    }
    return 0
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
