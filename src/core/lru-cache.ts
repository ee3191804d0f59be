/**
 * LRU cache bounded by total size, such as bytes or a number of entries: when it is full, the least recently used
 * entries are evicted.
 */
export class LruCache<Value> {
  readonly #maxSize: number
  /**
   * The entries, least recently used first: a `Map` iterates in insertion order, and a read inserts its entry again.
   */
  readonly #entries = new Map<string, { value: Value; size: number }>()
  #size = 0

  /**
   * The unit of `maxSize` is that of the sizes passed to `set`. If no sizes are passed, it is the number of entries.
   */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Adds or replaces an entry, and evicts others if needed. An entry larger than the whole cache is not stored. */
  set(key: string, value: Value, size = 1) {
    this.#delete(key)
    if (size > this.#maxSize) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const [oldest] of this.#entries) {
      if (this.#size <= this.#maxSize) return
      this.#delete(oldest)
    }
  }

  /** Deletes the entries whose keys start with a prefix. */
  deletePrefix(prefix: string) {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#delete(key)
  }

  #delete(key: string) {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}
