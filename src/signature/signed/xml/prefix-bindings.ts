/** Namespace bindings during a walk through a tree. A stack per prefix, so the cost of `enter` and `leave` depends only on the number of declarations. */
export class PrefixBindings {
  readonly #urisByPrefix = new Map<string, string[]>()

  /** Namespace of a prefix; '' if the prefix is not bound. */
  of = (prefix: string): string => this.#urisByPrefix.get(prefix)?.at(-1) ?? ''

  enter(declared: Iterable<readonly [string, string]>): void {
    for (const [prefix, uri] of declared) {
      const uris = this.#urisByPrefix.get(prefix)
      if (uris) uris.push(uri)
      else this.#urisByPrefix.set(prefix, [uri])
    }
  }

  leave(declared: Iterable<readonly [string, string]>): void {
    for (const [prefix] of declared) this.#urisByPrefix.get(prefix)?.pop()
  }

  /** All prefixes that were ever entered, including those that are not bound now. */
  prefixes = (): Iterable<string> => this.#urisByPrefix.keys()
}
