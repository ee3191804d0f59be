/** What prefixes stand for on the way down through a tree, innermost last: entering and leaving cost what is declared. */
export class Bindings {
  readonly #bound = new Map<string, string[]>()

  /** The namespace of a prefix; '' for none. */
  of = (prefix: string): string => this.#bound.get(prefix)?.at(-1) ?? ''

  enter(declared: Iterable<readonly [string, string]>): void {
    for (const [prefix, uri] of declared) {
      const uris = this.#bound.get(prefix)
      if (uris) uris.push(uri)
      else this.#bound.set(prefix, [uri])
    }
  }

  leave(declared: Iterable<readonly [string, string]>): void {
    for (const [prefix] of declared) this.#bound.get(prefix)?.pop()
  }

  /** All that have been entered, the ones that stand for nothing now among them. */
  prefixes = (): Iterable<string> => this.#bound.keys()
}
