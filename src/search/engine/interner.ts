// Numbers the terms and words of new documents, so that the inverter compares numbers instead of strings, which is faster.

/** Gives each different term or word a number, in the order of first occurrence, and collects its change in document frequency. */
export class Interner {
  readonly names: string[] = []
  /** For each name, the change in the number of documents that have it: written minus deleted ones. */
  readonly changes: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #lastDocument: number[] = []

  /** Returns the number of a name. A new name gets the next number. */
  intern(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    this.changes.push(0)
    this.#lastDocument.push(Number.NaN)
    return this.names.push(name) - 1
  }

  /**
   * Whether this is the first call for this name in this document. Document frequencies count a document once, however often it has
   * the word.
   */
  isNew(number: number, document: number): boolean {
    if (this.#lastDocument[number] === document) return false
    this.#lastDocument[number] = document
    return true
  }

  /** Returns the numbers, sorted by the UTF-8 bytes of their names, the order of the dictionary. */
  sorted(): number[] {
    const order = this.names.map((_, i) => i)
    const { names } = this
    // The comparison of strings uses UTF-16 units. Their order differs from that of UTF-8 bytes only if surrogates or later units
    // occur, which is rare and takes longer to compare.
    if (names.some((name) => /[\ud800-\uffff]/.test(name)))
      return order.sort((a, b) => compareCodePoints(names[a]!, names[b]!))
    return order.sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
  }
}

function compareCodePoints(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue
    return one.codePointAt(at)! - other.codePointAt(at)!
  }
  return one.length - other.length
}
