/** The values that were used last, by their keys: as many as are so large together, of which the one that was not used for longest goes first. */
export class LruCache<Value> {
  readonly #most: number
  readonly #values = new Map<string, { value: Value; size: number }>()
  #size = 0

  /** `most` is how large all of them may be together: how many, unless they are given sizes. */
  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const kept = this.#values.get(key)
    if (kept === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, kept)
    return kept.value
  }

  /** One that is too large for all that may be kept is not. */
  set(key: string, value: Value, size = 1) {
    this.#delete(key)
    if (size > this.#most) return
    this.#values.set(key, { value, size })
    this.#size += size
    for (const [oldest] of this.#values) {
      if (this.#size <= this.#most) return
      this.#delete(oldest)
    }
  }

  /** Forgets those of which the keys begin so. */
  forget(prefix: string) {
    for (const key of this.#values.keys()) if (key.startsWith(prefix)) this.#delete(key)
  }

  #delete(key: string) {
    this.#size -= this.#values.get(key)?.size ?? 0
    this.#values.delete(key)
  }
}
