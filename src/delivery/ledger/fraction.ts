import { piecesIn } from '../range.ts'
import { countIn } from './counts.ts'
import type { LedgerHead } from './tables.ts'

/** With so many messages in line no more pages are fetched, until there are as few as these: memory, and fresh data. */
const full = 20_000
const low = 5_000

/** Whether the queue is to bring pieces: not while the source is held, until the next attempt. */
export function wantsPieces(head: LedgerHead, heldUntil: number, now: number): boolean {
  if (head.status !== 'started' || head.is_paused || hasAllPieces(head) || heldUntil > now) return false
  return countIn(head, ['queued']) < (head.fraction === null ? low : full)
}

export const hasAllPieces = (head: LedgerHead): boolean => head.fetched === piecesIn(head)

/** The first item of the first piece whose page is neither in nor given up. */
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
