/** Texts by numbers, in the order in which they came. */
export class Numbered {
  readonly names: string[] = []
  readonly changes: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #lastIn: number[] = []

  of(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    this.changes.push(0)
    this.#lastIn.push(Number.NaN)
    return this.names.push(name) - 1
  }

  /** Whether it comes for the first time in this document, which is asked for only once. */
  isNew(number: number, document: number): boolean {
    if (this.#lastIn[number] === document) return false
    this.#lastIn[number] = document
    return true
  }

  /** The numbers in the order of the names' bytes. */
  sorted(): number[] {
    const order = this.names.map((_, i) => i)
    const { names } = this
    // UTF-16 units and UTF-8 differ in their order only past the surrogates.
    if (names.some((name) => /[\ud800-\uffff]/.test(name)))
      return order.sort((a, b) => byCharacters(names[a]!, names[b]!))
    return order.sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
  }
}

function byCharacters(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue
    return one.codePointAt(at)! - other.codePointAt(at)!
  }
  return one.length - other.length
}
