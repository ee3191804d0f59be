// Counts the typos between a word of a typeahead query and a term, with a Levenshtein automaton, which reads one character at a
// time.

/** Number of typos that means "too many": one more than a word may have. */
export const tooMany = 3

/** State 0, from which no match is possible. The state after it is the start, before the first character. */
export const deadState = 0
export const startState = 1

/** Characters below this code are looked up in an array of classes, which is faster than the map for all others. */
const directCodes = 128

/**
 * Deterministic Levenshtein automaton of a word (Schulz and Mihov, 2002), whose states are created when they are first reached.
 * It reads characters, and counts the typos against the word: an extra, missing or wrong letter, or two adjacent letters
 * swapped (optimal string alignment distance).
 */
export class LevenshteinAutomaton {
  readonly allowed: number
  readonly #word: number[]
  /**
   * Class of each character: its index among the different characters of the word, from 1; 0 for characters that the word does not
   * have.
   */
  readonly #classes = new Uint8Array(directCodes)
  readonly #others = new Map<number, number>()
  readonly #characters: number[] = [-1]
  /** Transition table: the next state by state and class; -1 if it was not computed yet. */
  #next = new Int32Array(0)
  readonly #rows: Row[] = []
  readonly #numbers = new Map<string, number>()
  #errors = new Uint8Array(16)

  constructor(word: string, allowed: number) {
    this.allowed = allowed
    this.#word = Array.from(word, (one) => one.codePointAt(0)!)
    for (const code of new Set(this.#word)) {
      if (code < directCodes) this.#classes[code] = this.#characters.length
      else this.#others.set(code, this.#characters.length)
      this.#characters.push(code)
    }
    const none = this.#word.map(() => this.#clip(tooMany))
    this.#add({ distances: new Array(this.#word.length + 1).fill(tooMany), swaps: none })
    this.#add({ distances: Array.from({ length: this.#word.length + 1 }, (_, i) => this.#clip(i)), swaps: none })
  }

  step(state: number, code: number): number {
    const kind = code < directCodes ? this.#classes[code]! : (this.#others.get(code) ?? 0)
    const at = state * this.#characters.length + kind
    const next = this.#next[at]!
    return next >= 0 ? next : this.#find(state, kind, at)
  }

  /**
   * Returns the number of typos between the characters read so far and the whole word; `tooMany` if there are more than allowed.
   */
  errors(state: number): number {
    return this.#errors[state]!
  }

  #find(state: number, kind: number, at: number): number {
    const row = this.#after(this.#rows[state]!, this.#characters[kind]!)
    const isDead = row.distances.every((errors) => errors > this.allowed)
    const next = isDead ? deadState : this.#add(row)
    this.#next[at] = next
    return next
  }

  #after({ distances, swaps }: Row, code: number): Row {
    const row = [this.#clip(distances[0]! + 1)]
    for (let i = 0; i < this.#word.length; i++) {
      const isSame = this.#word[i] === code
      const swapped = this.#word[i - 1] === code ? swaps[i]! : tooMany
      row.push(this.#clip(Math.min(distances[i]! + (isSame ? 0 : 1), distances[i + 1]! + 1, row[i]! + 1, swapped)))
    }
    const next = this.#word.map((one, i) => (i > 0 && one === code ? this.#clip(distances[i - 1]! + 1) : tooMany))
    return { distances: row, swaps: next }
  }

  #add(row: Row): number {
    const key = `${row.distances.join('')} ${row.swaps.join('')}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#rows.push(row) - 1
    this.#numbers.set(key, number)
    const width = this.#characters.length
    if (this.#next.length < (number + 1) * width) {
      const grown = new Int32Array(2 * (number + 8) * width).fill(-1)
      grown.set(this.#next)
      this.#next = grown
      const errors = new Uint8Array(2 * (number + 8))
      errors.set(this.#errors)
      this.#errors = errors
    }
    this.#errors[number] = row.distances.at(-1)!
    return number
  }

  #clip(errors: number): number {
    return errors > this.allowed ? tooMany : errors
  }
}

/** A state of the automaton, which is a row of the dynamic programming table of the edit distance. */
interface Row {
  /** Distance of the characters read so far to each prefix of the word. */
  distances: number[]
  /** Distance to each prefix if the next character is swapped with the last one. */
  swaps: number[]
}
