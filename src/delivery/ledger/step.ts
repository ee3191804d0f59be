import { itemsIn } from '../range.ts'
import { readHead, saveHead } from './head.ts'
import type { LedgerHead, PieceRow } from './tables.ts'

/** How many messages of each piece a step has settled. */
export type Closed = Map<number, number>

/** Notes that so many messages of a piece are settled. */
export const close = (closed: Closed, piece: number, n = 1): unknown => closed.set(piece, (closed.get(piece) ?? 0) + n)

/** Does a step that settles messages, and writes down where the delivery stands then; nothing where there is none. */
export function inStep<T>(sql: SqlStorage, now: number, step: (head: LedgerHead, closed: Closed) => T): T | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const closed: Closed = new Map()
  const result = step(head, closed)
  for (const [piece, n] of closed) advance(sql, head, piece, n)
  saveHead(sql, head, now)
  return result
}

/** A piece is over with its last message. */
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

/** Counts a piece of which nothing is left to send. */
export function closePiece(head: LedgerHead, piece: { min: number; max: number }): void {
  head.processed++
  head.items += itemsIn(piece)
}
