import type { Channel } from '../contract.ts'
import { itemsIn } from '../range.ts'
import { count } from './counts.ts'
import { readHead, saveHead } from './head.ts'
import type { Head, PieceRow, State } from './tables.ts'

interface Kept {
  channel: Channel
  state: State
  reason: string | null
  n: number
}

/** What a step does to the counters, written down all at once. */
export class Tally {
  readonly #counts = new Map<string, Kept>()
  /** How many messages of a piece were settled. */
  readonly #pieces = new Map<number, number>()
  #settled = 0

  /** So many messages of a channel are in another state. */
  move(channel: Channel, from: State, to: State, reason: string | null, n = 1): void {
    this.add(channel, from, null, -n)
    this.add(channel, to, reason, n)
  }

  /** So many messages of a piece are settled. */
  settle(piece: number, n = 1): void {
    this.#pieces.set(piece, (this.#pieces.get(piece) ?? 0) + n)
    this.#settled += n
  }

  add(channel: Channel, state: State, reason: string | null, n: number): void {
    const key = `${channel} ${state} ${reason}`
    const kept = this.#counts.get(key) ?? { channel, state, reason, n: 0 }
    kept.n += n
    this.#counts.set(key, kept)
  }

  write(sql: SqlStorage, head: Head, now: number): void {
    for (const { channel, state, reason, n } of this.#counts.values())
      if (n !== 0) count(sql, channel, state, reason, n)
    for (const [piece, n] of this.#pieces) advance(sql, head, piece, n)
    head.open -= this.#settled
    saveHead(sql, head, now)
  }
}

/** Does a step that changes the counters; nothing where there is no delivery. */
export function tallied<T>(sql: SqlStorage, now: number, step: (head: Head, tally: Tally) => T): T | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const tally = new Tally()
  const result = step(head, tally)
  tally.write(sql, head, now)
  return result
}

/** A piece is over with its last message. */
function advance(sql: SqlStorage, head: Head, min: number, n: number): void {
  const piece = sql
    .exec<PieceRow>(
      `UPDATE pieces SET open = open - ?1, state = CASE WHEN open = ?1 THEN 'processed' ELSE state END WHERE min = ?2
       RETURNING *`,
      n,
      min,
    )
    .one()
  const share = itemsIn(piece) / piece.messages
  head.share += n * share
  if (piece.open > 0) return
  head.share -= piece.messages * share
  closePiece(head, piece)
}

/** Counts a piece of which nothing is left to send. */
export function closePiece(head: Head, piece: { min: number; max: number }): void {
  head.processed++
  head.items += itemsIn(piece)
}
