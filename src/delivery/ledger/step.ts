// Runs a change of the ledger that settles messages, then brings its pieces, its counters and the delivery's progress up to
// date.
import { itemsIn } from '../range.ts'
import { readHead, saveHead } from './head.ts'
import type { LedgerHead, PieceRow } from './tables.ts'

/** Number of messages that a step has settled, by the first number of their piece. */
export type SettledCounts = Map<number, number>

/** Adds `n` settled messages to the count of their piece. */
export const countSettled = (settledCounts: SettledCounts, piece: number, n = 1): unknown =>
  settledCounts.set(piece, (settledCounts.get(piece) ?? 0) + n)

/**
 * Runs a step that settles messages, then updates their pieces and saves the state. Returns undefined if the ledger has no
 * delivery.
 */
export function inStep<T>(
  sql: SqlStorage,
  now: number,
  step: (head: LedgerHead, settledCounts: SettledCounts) => T,
): T | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const settledCounts: SettledCounts = new Map()
  const result = step(head, settledCounts)
  for (const [piece, n] of settledCounts) advance(sql, head, piece, n)
  saveHead(sql, head, now)
  return result
}

/** Subtracts `n` settled messages from the open ones of a piece. The piece is processed when its last message is settled. */
function advance(sql: SqlStorage, head: LedgerHead, min: number, n: number): void {
  const piece = sql
    .exec<PieceRow>(
      `UPDATE pieces SET open = open - ?1, state = CASE WHEN open = ?1 THEN 'processed' ELSE state END WHERE min = ?2
       RETURNING *`,
      n,
      min,
    )
    .one()
  const share = itemsIn(piece) / piece.messages
  head.open -= n
  head.share += n * share
  if (piece.open > 0) return
  head.share -= piece.messages * share
  closePiece(head, piece)
}

/** Counts a piece as processed: all of its messages are settled. */
export function closePiece(head: LedgerHead, piece: { min: number; max: number }): void {
  head.processed++
  head.items += itemsIn(piece)
}
