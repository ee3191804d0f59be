/** Reserves disk space for transcoding jobs up to a total limit, so that a full disk cannot interrupt running jobs. */
export class DiskBudget {
  readonly #maxBytes: number
  readonly #reserved = new Map<object, number>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Reserves bytes for an owner in place of its previous reservation. Returns false, without a change, if there is no room. */
  reserve(owner: object, bytes: number): boolean {
    const others = this.#total() - (this.#reserved.get(owner) ?? 0)
    if (others + bytes > this.#maxBytes) return false
    this.#reserved.set(owner, bytes)
    return true
  }

  /** Whether this number of bytes is within the total limit. If not, waiting for free space is useless. */
  canEverReserve(bytes: number): boolean {
    return bytes <= this.#maxBytes
  }

  release(owner: object) {
    this.#reserved.delete(owner)
  }

  #total(): number {
    return [...this.#reserved.values()].reduce((sum, bytes) => sum + bytes, 0)
  }
}
