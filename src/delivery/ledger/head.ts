import type { Channel } from '../contract.ts'
import { itemsIn, piecesIn } from '../range.ts'
import { forgetOutlets } from './outlets.ts'
import type { HeadRow, LedgerHead } from './tables.ts'

/** Where a delivery stands; nothing where the ledger has none. */
export function readHead(sql: SqlStorage): LedgerHead | undefined {
  const [row] = sql.exec<HeadRow>('SELECT * FROM head').toArray()
  return row && { ...row, counts: JSON.parse(row.counts) }
}

/** The channels that it sends by. */
export const channelsIn = ({ channels }: LedgerHead) => channels.split(',') as Channel[]

/** Writes down where a delivery stands by now: finished, where nothing is left to do. */
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

/** Hashes of targets stay while something may be retried, so that nobody is sent to twice then. */
function finish(sql: SqlStorage, head: LedgerHead, now: number): void {
  const isRetryable = head.failed > 0 || sql.exec('SELECT 1 FROM recipients LIMIT 1').toArray().length > 0
  Object.assign(head, { status: 'finished', is_paused: 0, progress: 1, updated_at: now })
  head.ended_at = isRetryable ? now : null
  forgetOutlets(sql)
  if (!isRetryable) sql.exec('DELETE FROM targets')
}

const steps = 10_000

/** The share of the range that is processed, as callers see it: 1 only where all is. */
export function progressOf({ status, progress }: Pick<LedgerHead, 'status' | 'progress'>): number {
  if (status === 'finished') return 1
  return Math.min(Math.floor(progress * steps) / steps, (steps - 1) / steps)
}
