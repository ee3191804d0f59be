/** The values that were used last, by their keys: so many, of which the one that was not used for longest goes first. */
export class Recent<Value> {
  readonly #most: number
  readonly #values = new Map<string, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value) {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= this.#most) return
    const [oldest] = this.#values.keys()
    if (oldest !== undefined) this.#values.delete(oldest)
  }

  /** Forgets those of which the keys begin so. */
  forget(prefix: string) {
    for (const key of this.#values.keys()) if (key.startsWith(prefix)) this.#values.delete(key)
  }
}
