import type { Hit } from './query.ts'

/** Negative if the first comes before the second. */
const order = (one: Hit, other: Hit) => other.score - one.score || one.seq - other.seq

/** The best of many hits, by a heap whose top is the worst of them. */
export class Best {
  readonly #most: number
  readonly #heap: Hit[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Whether it is one of the best so far. */
  add(score: number, seq: number, row: number): boolean {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push({ score, seq, row })
      this.#rise(heap.length - 1)
      return true
    }
    const worst = heap[0]
    if (!worst || score < worst.score || (score === worst.score && seq > worst.seq)) return false
    heap[0] = { score, seq, row }
    this.#sink()
    return true
  }

  /** In order. */
  hits(): Hit[] {
    return this.#heap.sort(order)
  }

  #rise(from: number) {
    const heap = this.#heap
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >>> 1
      if (order(heap[parent]!, heap[at]!) >= 0) return
      ;[heap[parent], heap[at]] = [heap[at]!, heap[parent]!]
      at = parent
    }
  }

  #sink() {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && order(heap[child]!, heap[worst]!) > 0) worst = child
      }
      if (worst === at) return
      ;[heap[at], heap[worst]] = [heap[worst]!, heap[at]!]
      at = worst
    }
  }
}
