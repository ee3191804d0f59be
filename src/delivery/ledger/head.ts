// Reads and saves the single row of the table `head`, which has the state and the counters of a ledger's delivery.
import type { Channel } from '../contract.ts'
import { itemsIn, piecesIn } from '../range.ts'
import { deleteOutlets } from './outlets.ts'
import type { HeadRow, LedgerHead } from './tables.ts'

/** The state of the ledger's delivery. Undefined if the ledger has no delivery. */
export function readHead(sql: SqlStorage): LedgerHead | undefined {
  const [row] = sql.exec<HeadRow>('SELECT * FROM head').toArray()
  return row && { ...row, counts: JSON.parse(row.counts) }
}

export const channelsIn = ({ channels }: LedgerHead) => channels.split(',') as Channel[]

/** Saves the state. Makes the delivery finished if all pieces are fetched or failed and all messages are settled. */
export function saveHead(sql: SqlStorage, head: LedgerHead, now: number): void {
  if (head.status === 'started') {
    head.progress = Math.max(head.progress, Math.min(1, (head.items + head.share) / itemsIn(head)))
    if (head.fetched === piecesIn(head) && head.open === 0) finish(sql, head, now)
  }
  head.revision++
  const { one: _, ...columns } = { one: 1, ...head, counts: JSON.stringify(head.counts) }
  const names = Object.keys(columns)
  sql.exec(`UPDATE head SET ${names.map((name) => `${name} = ?`).join(', ')}`, ...Object.values(columns))
}

/**
 * Marks the delivery as finished. While messages can be retried, keeps the hashes of targets: a retry of failed pieces must
 * still detect duplicates.
 */
function finish(sql: SqlStorage, head: LedgerHead, now: number): void {
  const isRetryable = head.failed > 0 || sql.exec('SELECT 1 FROM recipients LIMIT 1').toArray().length > 0
  Object.assign(head, { status: 'finished', is_paused: 0, progress: 1, updated_at: now })
  head.ended_at = isRetryable ? now : null
  deleteOutlets(sql)
  if (!isRetryable) sql.exec('DELETE FROM targets')
}

const progressSteps = 10_000

/**
 * The processed share of the range as replies show it, from 0 to 1. It is rounded down, so that 1 means that everything is
 * processed.
 */
export function progressOf({ status, progress }: Pick<LedgerHead, 'status' | 'progress'>): number {
  if (status === 'finished') return 1
  return Math.min(Math.floor(progress * progressSteps) / progressSteps, (progressSteps - 1) / progressSteps)
}
