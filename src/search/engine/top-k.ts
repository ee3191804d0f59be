// Keeps the k best hits of a search in a binary heap.
import type { Hit } from './query.ts'

/** Compares two hits. The result is negative if `one` ranks before `other`. */
const compareHits = (one: Hit, other: Hit) => other.score - one.score || one.seq - other.seq

/** Keeps the k best hits. The root of the heap is the worst of them, with which a new hit is compared. */
export class TopK {
  readonly #k: number
  readonly #heap: Hit[] = []

  constructor(k: number) {
    this.#k = k
  }

  /** Adds a hit. Returns whether the hit is among the k best so far. */
  add(score: number, seq: number, row: number): boolean {
    const heap = this.#heap
    if (heap.length < this.#k) {
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

  /** Returns the best hits, the best first. */
  hits(): Hit[] {
    return this.#heap.sort(compareHits)
  }

  #rise(from: number) {
    const heap = this.#heap
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >>> 1
      if (compareHits(heap[parent]!, heap[at]!) >= 0) return
      ;[heap[parent], heap[at]] = [heap[at]!, heap[parent]!]
      at = parent
    }
  }

  #sink() {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && compareHits(heap[child]!, heap[worst]!) > 0) worst = child
      }
      if (worst === at) return
      ;[heap[at], heap[worst]] = [heap[worst]!, heap[at]!]
      at = worst
    }
  }
}
