// Decides when a delivery fetches more recipients: while few messages are queued. The queue's fraction, a task for a range,
// makes one call for each piece.
import { piecesIn } from '../range.ts'
import { countIn } from './counts.ts'
import type { LedgerHead } from './tables.ts'

/**
 * Fetching stops at the first number of queued messages, which limits storage and keeps the recipients' data fresh. It resumes
 * below the second number.
 */
const stopAtQueued = 20_000
const resumeBelowQueued = 5_000

/** Whether pieces are to be fetched now. While the source of recipients is held, its next attempt must be due. */
export function wantsPieces(head: LedgerHead, heldUntil: number, now: number): boolean {
  if (head.status !== 'started' || head.is_paused || hasAllPieces(head) || heldUntil > now) return false
  return countIn(head, ['queued']) < (head.fraction === null ? resumeBelowQueued : stopAtQueued)
}

export const hasAllPieces = (head: LedgerHead): boolean => head.fetched === piecesIn(head)

/** The first number of the first piece that is neither fetched nor failed: a new fraction starts there. */
export function firstUnfetched(sql: SqlStorage, { min, gap }: LedgerHead): number {
  const [gapAt] = sql.exec<{ n: number }>(
    `SELECT n FROM (
       SELECT min, row_number() OVER (ORDER BY min) - 1 AS n FROM pieces WHERE state NOT IN ('fetching', 'waiting'))
     WHERE min <> ? + n * ? LIMIT 1`,
    min,
    gap,
  )
  if (gapAt) return min + gapAt.n * gap
  const { n } = sql
    .exec<{ n: number }>(`SELECT count(*) AS n FROM pieces WHERE state NOT IN ('fetching', 'waiting')`)
    .one()
  return min + n * gap
}
