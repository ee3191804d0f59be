// SQL on the table of slices. A slice is a batch of up to 50 messages that one task of the queue sends; `../slice.ts` sends it.
import { channels } from '../definition.ts'
import { countIn } from './counts.ts'
import { Outlets } from './outlets.ts'
import type { LedgerHead } from './tables.ts'

export const sliceSize = 50

/** Maximum number of slices that wait in the queue at a time. */
const maxSlices = 500

/**
 * `sliceWaitMs`: maximum time that a slice waits until it can claim another message. `sliceTimeMs`: time after which it claims
 * no more messages.
 */
export const sliceWaitMs = 1_000
export const sliceTimeMs = 15_000

/** Creates as many slices as the due messages need, up to `maxAtOnce` in total. The outbox then creates their queue tasks. */
export function createSlices(sql: SqlStorage, head: LedgerHead, maxAtOnce: number, now: number): void {
  if (head.status !== 'started' || head.is_paused) return
  const limit = Math.min(maxAtOnce, maxSlices)
  const due = countDue(sql, head, limit * sliceSize, now)
  const { existing } = sql.exec<{ existing: number }>('SELECT count(*) AS existing FROM slices').one()
  for (let n = existing; n < Math.ceil(due / sliceSize); n++) sql.exec('INSERT INTO slices (at) VALUES (?)', now)
}

/** Number of due messages that their outlets accept soon, up to a limit. */
function countDue(sql: SqlStorage, head: LedgerHead, limit: number, now: number): number {
  const outlets = new Outlets(sql)
  return channels
    .filter((channel) => countIn(head, ['queued'], channel) > 0)
    .reduce((sum, channel) => {
      const { max, at } = outlets.prospect(channel, now, sliceTimeMs)
      const isSoon = at <= now + sliceWaitMs
      const { due } = sql
        .exec<{ due: number }>(
          `SELECT count(*) AS due FROM (SELECT 1 FROM messages WHERE state = 'queued' AND channel = ? AND at <= ? LIMIT ?)`,
          ...[channel, now, isSoon ? Math.min(limit, max) : 0],
        )
        .one()
      return sum + due
    }, 0)
}

/** Ids of the slices that have no queue task yet. */
export const unpostedSlices = (sql: SqlStorage, limit: number): number[] =>
  sql
    .exec<{ id: number }>('SELECT id FROM slices WHERE task IS NULL ORDER BY id LIMIT ?', limit)
    .toArray()
    .map(({ id }) => id)

export function recordPosted(sql: SqlStorage, id: number, task: string, now: number): void {
  sql.exec('UPDATE slices SET task = ?, at = ? WHERE id = ?', task, now, id)
}

export const hasSlice = (sql: SqlStorage, id: number): boolean =>
  sql.exec('SELECT 1 FROM slices WHERE id = ?', id).toArray().length > 0

export function endSlice(sql: SqlStorage, id: number): void {
  sql.exec('DELETE FROM slices WHERE id = ?', id)
}

/** Forgets all slices that have a queue task, and marks the tasks for deletion. The outbox creates new ones. */
export function deletePosted(sql: SqlStorage): void {
  sql.exec('INSERT OR IGNORE INTO stale SELECT task FROM slices WHERE task IS NOT NULL')
  sql.exec('DELETE FROM slices WHERE task IS NOT NULL')
}

/** The slice whose queue task is the oldest. If any task is lost, this one is the most likely. */
export const oldestPosted = (sql: SqlStorage): { id: number; task: string } | undefined =>
  sql
    .exec<{ id: number; task: string }>('SELECT id, task FROM slices WHERE task IS NOT NULL ORDER BY at LIMIT 1')
    .toArray()[0]
