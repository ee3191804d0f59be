/**
 * The namespace bindings that are in scope during a walk through an XML tree. Each prefix has a stack, so that `enter` and `leave`
 * cost only as much as there are declarations.
 */
export class PrefixBindings {
  readonly #urisByPrefix = new Map<string, string[]>()

  /** Returns the namespace of a prefix; '' if the prefix is not bound. */
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

  /** Returns all prefixes that were ever bound. Some may not be bound now. */
  prefixes = (): Iterable<string> => this.#urisByPrefix.keys()
}
