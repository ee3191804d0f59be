// Queues of flows by priority, from which the scheduler takes the next one.

/** Priorities of tasks: 9 is the most urgent. */
export const defaultPriority = 5
const priorities = 10

/** After a waiting flow was passed over by this number of tasks with a higher priority, a flow of its priority has its turn. */
const maxPassed = 16

/** Index at which the taken items of a ring are removed, if they are more than half of it. */
const compactAfter = 1_024

/** First-in, first-out queue. */
class Ring<Item> {
  #items: Item[] = []
  #head = 0

  get isEmpty(): boolean {
    return this.#head >= this.#items.length
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head++]
    if (item === undefined || (this.#head >= compactAfter && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}

/**
 * One round robin for each priority. The highest priority goes first; a lower one is passed over at most 16 times in a row, so that it
 * is never starved.
 */
export class ReadyRings<Item> {
  readonly #rings = Array.from({ length: priorities }, () => new Ring<Item>())
  readonly #passed = new Uint32Array(priorities)

  get isEmpty(): boolean {
    return this.#rings.every(({ isEmpty }) => isEmpty)
  }

  push(item: Item, priority: number): void {
    this.#rings[priority]!.push(item)
  }

  /** Takes the next item, with its priority. */
  shift(): { item: Item; priority: number } | undefined {
    let chosen = -1
    for (let priority = priorities - 1; priority >= 0; priority--) {
      if (this.#rings[priority]!.isEmpty) continue
      const isStarved = this.#passed[priority]! >= maxPassed
      if (chosen === -1 || (isStarved && this.#passed[priority]! > this.#passed[chosen]!)) chosen = priority
    }
    if (chosen === -1) return undefined
    return { item: this.#rings[chosen]!.shift()!, priority: chosen }
  }

  /** Counts the start of a task of a priority, by which the lower ones that have items were passed over. */
  countStart(priority: number): void {
    this.#passed[priority] = 0
    for (let lower = 0; lower < priority; lower++)
      this.#passed[lower] = this.#rings[lower]!.isEmpty ? 0 : this.#passed[lower]! + 1
  }
}
