// Numbers the terms and words of new documents, so that the inverter compares numbers instead of strings.

/** Gives each different term or word a number, in the order of first occurrence, and collects its change in document frequency. */
export class Interner {
  readonly names: string[] = []
  /** By how much each name changes the number of documents that have it. */
  readonly changes: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #lastDocument: number[] = []

  /** The number of a name; a new name gets the next one. */
  intern(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    this.changes.push(0)
    this.#lastDocument.push(Number.NaN)
    return this.names.push(name) - 1
  }

  /** Whether this is the first call with this number and document: each document counts once. */
  isNew(number: number, document: number): boolean {
    if (this.#lastDocument[number] === document) return false
    this.#lastDocument[number] = document
    return true
  }

  /** The numbers, sorted by the UTF-8 bytes of their names. */
  sorted(): number[] {
    const order = this.names.map((_, i) => i)
    const { names } = this
    // The order of UTF-16 units differs from the order of UTF-8 bytes only from the surrogates on.
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
