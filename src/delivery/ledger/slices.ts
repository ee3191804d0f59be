import type { Head } from './tables.ts'

/** How many messages one request sends at the most. */
export const sliceSize = 50

/** So many requests wait in the queue's line at the most. */
const mostSlices = 500

/** Makes as many slices more as it takes to send what is due, at most so many at once in all; the queue has still to be told. */
export function makeSlices(sql: SqlStorage, { status, is_paused }: Head, lanes: number, now: number): void {
  if (status !== 'started' || is_paused) return
  const most = Math.min(lanes, mostSlices)
  const { due } = sql
    .exec<{ due: number }>(
      `SELECT count(*) AS due FROM (SELECT 1 FROM messages WHERE state = 'queued' AND at <= ? LIMIT ?)`,
      now,
      most * sliceSize,
    )
    .one()
  const { made } = sql.exec<{ made: number }>('SELECT count(*) AS made FROM slices').one()
  for (let n = made; n < Math.ceil(due / sliceSize); n++) sql.exec('INSERT INTO slices (at) VALUES (?)', now)
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
