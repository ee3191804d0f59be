/** Who holds how many bytes of the disk; all together no more than may be. */
export class Disk {
  readonly #most: number
  readonly #held = new Map<object, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Holds so many bytes for somebody, in place of what was held before; false when there is no room, and nothing changes. */
  hold(holder: object, bytes: number): boolean {
    const others = this.#total() - (this.#held.get(holder) ?? 0)
    if (others + bytes > this.#most) return false
    this.#held.set(holder, bytes)
    return true
  }

  /** Whether there is room for so many bytes when nobody else holds any. */
  canEverHold(bytes: number): boolean {
    return bytes <= this.#most
  }

  release(holder: object) {
    this.#held.delete(holder)
  }

  #total(): number {
    return [...this.#held.values()].reduce((sum, bytes) => sum + bytes, 0)
  }
}
