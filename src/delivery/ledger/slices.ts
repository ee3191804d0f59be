import { channels } from '../definition.ts'
import { countIn } from './counts.ts'
import { Outlets } from './outlets.ts'
import type { LedgerHead } from './tables.ts'

/** How many messages one request sends at the most. */
export const sliceSize = 50

/** So many requests wait in the queue's line at the most. */
const mostSlices = 500

/** How long a slice waits for an outlet's next message, and how long it begins new ones; in milliseconds. */
export const sliceWaitMs = 1_000
export const sliceTimeMs = 15_000

/** Makes as many slices more as it takes to send what is due, at most so many at once in all; the queue has still to be told. */
export function makeSlices(sql: SqlStorage, head: LedgerHead, lanes: number, now: number): void {
  if (head.status !== 'started' || head.is_paused) return
  const most = Math.min(lanes, mostSlices)
  const due = countDue(sql, head, most * sliceSize, now)
  const { made } = sql.exec<{ made: number }>('SELECT count(*) AS made FROM slices').one()
  for (let n = made; n < Math.ceil(due / sliceSize); n++) sql.exec('INSERT INTO slices (at) VALUES (?)', now)
}

/** How many messages are due that their outlets take now, up to a limit. */
function countDue(sql: SqlStorage, head: LedgerHead, limit: number, now: number): number {
  const outlets = new Outlets(sql)
  return channels
    .filter((channel) => countIn(head, ['queued'], channel) > 0)
    .reduce((sum, channel) => {
      const { most, at } = outlets.prospect(channel, now, sliceTimeMs)
      const isSoon = at <= now + sliceWaitMs
      const { due } = sql
        .exec<{ due: number }>(
          `SELECT count(*) AS due FROM (SELECT 1 FROM messages WHERE state = 'queued' AND channel = ? AND at <= ? LIMIT ?)`,
          ...[channel, now, isSoon ? Math.min(limit, most) : 0],
        )
        .one()
      return sum + due
    }, 0)
}

/** Slices that the queue was not told of yet. */
export const unpostedSlices = (sql: SqlStorage, limit: number): number[] =>
  sql
    .exec<{ id: number }>('SELECT id FROM slices WHERE task IS NULL ORDER BY id LIMIT ?', limit)
    .toArray()
    .map(({ id }) => id)

export function notePosted(sql: SqlStorage, id: number, task: string, now: number): void {
  sql.exec('UPDATE slices SET task = ?, at = ? WHERE id = ?', task, now, id)
}

export const hasSlice = (sql: SqlStorage, id: number): boolean =>
  sql.exec('SELECT 1 FROM slices WHERE id = ?', id).toArray().length > 0

export function endSlice(sql: SqlStorage, id: number): void {
  sql.exec('DELETE FROM slices WHERE id = ?', id)
}

/** Ends all that the queue was told of, which is to be taken back. */
export function dropPosted(sql: SqlStorage): void {
  sql.exec('INSERT OR IGNORE INTO stale SELECT task FROM slices WHERE task IS NOT NULL')
  sql.exec('DELETE FROM slices WHERE task IS NOT NULL')
}

/** The slice that the queue was told of first, and which has not come to its end. */
export const oldestPosted = (sql: SqlStorage): { id: number; task: string } | undefined =>
  sql
    .exec<{ id: number; task: string }>('SELECT id, task FROM slices WHERE task IS NOT NULL ORDER BY at LIMIT 1')
    .toArray()[0]
