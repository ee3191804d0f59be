// Decides when the ledger fetches more recipients. The queue's fraction task makes one call for each piece of the
// range.
import { piecesIn } from '../range.ts'
import { countIn } from './counts.ts'
import type { LedgerHead } from './tables.ts'

/** Fetching stops at this number of queued messages, which limits memory and keeps data fresh; it resumes below the second number. */
const stopAtQueued = 20_000
const resumeBelowQueued = 5_000

/** Whether pieces are to be fetched. While the source is held, not before its next attempt. */
export function wantsPieces(head: LedgerHead, heldUntil: number, now: number): boolean {
  if (head.status !== 'started' || head.is_paused || hasAllPieces(head) || heldUntil > now) return false
  return countIn(head, ['queued']) < (head.fraction === null ? resumeBelowQueued : stopAtQueued)
}

export const hasAllPieces = (head: LedgerHead): boolean => head.fetched === piecesIn(head)

/** The first number of the first piece that is neither fetched nor failed. */
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
