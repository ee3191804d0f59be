// Holds keep a flow key's slot or a daemon taken after a lost request or during `sleep`, also after a crash.
import type { TaskRow } from './tables.ts'

/** Table of the holds. It is stored, so that a crash does not free the slots and the daemons too early. */
export const createHolds = `
CREATE TABLE holds (
  id INTEGER PRIMARY KEY,
  -- Milliseconds since 1970.
  until INTEGER NOT NULL,
  -- The flow key of which the hold takes a slot; NULL for a daemon.
  key TEXT,
  -- 1 if the hold makes a daemon sleep, else 0.
  is_daemon INTEGER NOT NULL
);
`

/** A slot of a flow key, or a daemon, that stays taken until a time in milliseconds since 1970: after a lost request, or in a `sleep`. */
export type Hold = { until: number; key: string | null; is_daemon: number }

/**
 * Holds the slots of a lost request, since its target may still be working on it: the slot of its key until the request's
 * deadline, and with `isStrict` the daemon too. The daemon then sleeps for the `sleep` of the task.
 */
export function holdLost(
  sql: SqlStorage,
  { key, started_at, timeout, sleep }: Pick<TaskRow, 'key' | 'started_at' | 'timeout' | 'sleep'>,
  { now, isStrict }: { now: number; isStrict: boolean },
): void {
  const deadline = (started_at ?? now) + timeout
  if (key !== null) addHold(sql, { until: deadline, key, is_daemon: 0 }, now)
  addHold(sql, { until: (isStrict ? deadline : now) + sleep, key: null, is_daemon: 1 }, now)
}

/**
 * Milliseconds for which a daemon rests after a request: the `sleep` of the task, and with `isStrict` after a lost request first the
 * rest of its time, since the target may still be working on it.
 */
export function restAfter(
  { started_at, timeout, sleep }: { started_at: number; timeout: number; sleep: number },
  { error }: { error: string | null },
  isStrict: boolean,
  now: number,
): number {
  return (isStrict && error === 'lost' ? Math.max(0, started_at + timeout - now) : 0) + sleep
}

/** Stores a hold unless its time has passed, and deletes the holds whose time has passed. */
export function addHold(sql: SqlStorage, { until, key, is_daemon }: Hold, now: number): void {
  sql.exec('DELETE FROM holds WHERE until <= ?', now)
  if (until > now) sql.exec('INSERT INTO holds (until, key, is_daemon) VALUES (?, ?, ?)', until, key, is_daemon)
}

/** The holds whose time has not passed, by their end. */
export const holdsOf = (sql: SqlStorage, now: number): Hold[] =>
  sql
    .exec<Hold>('SELECT until, key, is_daemon FROM holds WHERE until > ?', now)
    .toArray()
    .sort((a, b) => a.until - b.until)
