// Holds keep a flow key's slot or a daemon taken after a lost request or during `sleep`, also after a crash.
import type { TaskRow } from './tables.ts'

/** Slots and daemons that stay taken until a time, also after a crash. */
export const createHolds = `
CREATE TABLE holds (
  id INTEGER PRIMARY KEY,
  -- Milliseconds since 1970.
  until INTEGER NOT NULL,
  -- The flow key whose concurrency it counts against.
  key TEXT,
  -- Whether a daemon sleeps until then.
  is_daemon INTEGER NOT NULL
);
`

/** A slot of a flow key, or a daemon, that stays taken until a time because of a lost request or of `sleep`. */
export type Hold = { until: number; key: string | null; is_daemon: number }

/**
 * Holds the slots of a lost request, since its target may still be working on it: the slot of its key until the request's
 * deadline, and with `isSerial` the daemon too. The daemon then sleeps for the `sleep` of the task.
 */
export function holdLost(
  sql: SqlStorage,
  { key, started_at, timeout, sleep }: Pick<TaskRow, 'key' | 'started_at' | 'timeout' | 'sleep'>,
  { now, isSerial }: { now: number; isSerial: boolean },
): void {
  const deadline = (started_at ?? now) + timeout
  if (key !== null) addHold(sql, { until: deadline, key, is_daemon: 0 }, now)
  addHold(sql, { until: (isSerial ? deadline : now) + sleep, key: null, is_daemon: 1 }, now)
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
