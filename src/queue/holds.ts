import type { TaskRow } from './tables.ts'

/** Slots that stay taken until a time, also after a crash. */
export const createHolds = `
CREATE TABLE holds (
  id INTEGER PRIMARY KEY,
  -- Milliseconds since 1970.
  until INTEGER NOT NULL,
  -- The flow key whose concurrency it counts against.
  key TEXT,
  -- Whether a daemon rests until then.
  is_daemon INTEGER NOT NULL
);
`

/** A slot of a flow key, or a daemon, that stays taken until a time: by a request that was lost, or by `sleep`. */
export type Hold = { until: number; key: string | null; is_daemon: number }

/**
 * Holds the slots of a request whose outcome is unknown, since its target may still work on it: the slot of its key until the
 * request's deadline, and with `isSerial` the daemon too. A daemon that was to sleep after the request sleeps afterwards.
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

/** Stores a hold that is not over yet, and deletes those that are. */
export function addHold(sql: SqlStorage, { until, key, is_daemon }: Hold, now: number): void {
  sql.exec('DELETE FROM holds WHERE until <= ?', now)
  if (until > now) sql.exec('INSERT INTO holds (until, key, is_daemon) VALUES (?, ?, ?)', until, key, is_daemon)
}

/** The holds that are not over, the first to end first. */
export const holdsOf = (sql: SqlStorage, now: number): Hold[] =>
  sql
    .exec<Hold>('SELECT until, key, is_daemon FROM holds WHERE until > ?', now)
    .toArray()
    .sort((a, b) => a.until - b.until)
