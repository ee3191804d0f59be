// The stored state of flow keys: pauses, circuit breakers, rate limits, and the task that a key with `order` must retry first.
import { probeDelayMs, withJitter } from '#core/circuit'
import { openRow } from './due-rows.ts'

/**
 * Migration that adds the states of flow keys. The state of the worker itself has an empty key. The triggers find keys whose task was
 * canceled, has expired or was deleted while it waited for a retry: their other tasks may run.
 */
export const addKeyStates = `
CREATE TABLE key_states (
  key TEXT PRIMARY KEY,
  -- Milliseconds since 1970: no task of the key starts before. NULL if the key is not paused.
  until INTEGER,
  -- Consecutive failures of requests.
  failures INTEGER NOT NULL,
  -- Start of the current period of the rate limit, in milliseconds since 1970, and the number of requests that started in it.
  period_at INTEGER,
  starts INTEGER NOT NULL,
  -- With order: the task that has started and must end before the next one starts.
  task INTEGER
) WITHOUT ROWID;
CREATE INDEX key_states_until ON key_states (until) WHERE until IS NOT NULL;
CREATE TABLE freed_keys (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER task_ended AFTER UPDATE OF state ON tasks
  WHEN OLD.state = 'waiting' AND OLD.key IS NOT NULL AND NEW.state NOT IN ('waiting', 'running')
  BEGIN INSERT OR IGNORE INTO freed_keys SELECT key FROM key_states WHERE key = OLD.key AND task = OLD.id; END;
CREATE TRIGGER task_deleted AFTER DELETE ON tasks WHEN OLD.state = 'waiting' AND OLD.key IS NOT NULL
  BEGIN INSERT OR IGNORE INTO freed_keys SELECT key FROM key_states WHERE key = OLD.key AND task = OLD.id; END;
`

/** The state of a flow key. Times are milliseconds since 1970. */
export type KeyState = {
  until: number | null
  failures: number
  period_at: number | null
  starts: number
  task: number | null
}

type KeyStateRow = KeyState & { key: string }

/** Milliseconds from the n-th consecutive failure of a key to the next attempt: after `failuresToOpen` failures its circuit is open. */
const probeDelaysMs = [0, 0, 0, 0, 10_000, 30_000, 60_000]

/** Number of consecutive failures that opens the circuit of a key. Then one task at a time probes the target. */
export const failuresToOpen = probeDelaysMs.findIndex((delayMs) => delayMs > 0) + 1

/** Age of a pause at which the state of a key without tasks is deleted. */
const idleStateMs = 7 * 86_400_000

/** Rows that one step of the cleanup reads, and keys that one step of the backlog wakes or frees. */
const rowsPerStep = 1_000
const stepsPerRun = 20

/** A rate limit: at most `limit` requests start in `periodMs`. */
interface Rate {
  limit: number
  periodMs: number
}

const idleState = (): KeyState => ({ until: null, failures: 0, period_at: null, starts: 0, task: null })

const isIdle = ({ until, failures, period_at, task }: KeyState) =>
  until === null && failures === 0 && period_at === null && task === null

/** Whether no task of the key may start now. */
export const isPaused = ({ until }: KeyState, now: number): boolean => until !== null && until > now

/** Counts the start of a request against a rate limit, and pauses the key until the end of the period if the limit is reached. */
export function countStart(state: KeyState, { limit, periodMs }: Rate, now: number): void {
  const { period_at } = state
  if (period_at === null || now >= period_at + periodMs || now < period_at) {
    state.period_at = now
    state.starts = 0
  }
  state.starts++
  if (state.starts >= limit) pauseUntil(state, state.period_at! + periodMs)
}

/** The outcome of a request, as far as it says something about the target. */
interface TargetOutcome {
  status: number | null
  error: string | null
  retryAfterMs?: number | undefined
}

/** Errors that say that the target does not respond. After other errors, the request was not sent, or the target did respond. */
const targetErrors = ['unreachable', 'interrupted', 'timeout']

const hasFailed = ({ status, error }: TargetOutcome) =>
  status === null ? targetErrors.includes(error ?? '') : status >= 500 || status === 429

/**
 * Records the outcome of a request of the key. A `Retry-After` with 429 or 503 pauses the key. Repeated failures open its circuit: it
 * is paused, and then one task at a time probes the target. Returns whether the state has changed.
 */
export function recordOutcome(state: KeyState, outcome: TargetOutcome, now: number): boolean {
  const { status, error, retryAfterMs } = outcome
  const isThrottled = (status === 429 || status === 503) && retryAfterMs !== undefined
  if (isThrottled) pauseUntil(state, now + retryAfterMs)
  if (hasFailed(outcome)) {
    // A request that had started before the circuit opened says nothing new.
    if (state.failures >= failuresToOpen && isPaused(state, now)) return isThrottled
    if (status === 429 && isThrottled) return true
    state.failures++
    // Without a delay this is the time of the failure, by which the cleanup knows its age.
    pauseUntil(state, now + withJitter(probeDelayMs(probeDelaysMs, state.failures)))
    return true
  }
  if (state.failures === 0 || error !== null) return isThrottled
  if (state.failures >= failuresToOpen || !isPaused(state, now)) state.until = null
  state.failures = 0
  return true
}

function pauseUntil(state: KeyState, until: number): void {
  state.until = Math.max(state.until ?? 0, until)
}

/** The states of the keys in the database. */
export class KeyStates {
  readonly #sql: SqlStorage
  /** Whether the table may have rows. Without rows, no query is needed for a key. */
  #hasRows: boolean
  /** Time up to which the keys whose pauses have ended were woken. */
  #wokenUntil: number
  /** Last key that the cleanup has read. */
  #cleaned = ''

  constructor(sql: SqlStorage, now: number) {
    this.#sql = sql
    this.#hasRows = sql.exec('SELECT 1 FROM key_states LIMIT 1').toArray().length > 0
    this.#wokenUntil = now
  }

  load(key: string): KeyState {
    if (!this.#hasRows) return idleState()
    const columns = 'until, failures, period_at, starts, task'
    const [row] = this.#sql.exec<KeyState>(`SELECT ${columns} FROM key_states WHERE key = ?`, key)
    return row ?? idleState()
  }

  save(key: string, state: KeyState): void {
    if (isIdle(state)) {
      if (this.#hasRows) this.#sql.exec('DELETE FROM key_states WHERE key = ?', key)
      return
    }
    this.#hasRows = true
    const { until, failures, period_at, starts, task } = state
    const values = [key, until, failures, period_at, starts, task]
    this.#sql.exec('INSERT OR REPLACE INTO key_states VALUES (?, ?, ?, ?, ?, ?)', ...values)
  }

  /** The keys whose pause has ended by `now` since the last call, and those whose task to be retried first has ended. */
  wake(now: number): { ended: string[]; freed: string[]; isBehind: boolean } {
    if (!this.#hasRows) return { ended: [], freed: [], isBehind: false }
    if (now < this.#wokenUntil) this.#wokenUntil = now // The clock was set back.
    const range = 'FROM key_states INDEXED BY key_states_until WHERE until IS NOT NULL AND until > ? AND until <= ?'
    const [last] = this.#sql.exec<{ until: number }>(
      `SELECT until ${range} ORDER BY until LIMIT 1 OFFSET ${rowsPerStep - 1}`,
      this.#wokenUntil,
      now,
    )
    const until = last?.until ?? now
    const ended = this.#sql.exec<{ key: string }>(`SELECT key ${range}`, this.#wokenUntil, until).toArray()
    this.#wokenUntil = until
    const freed = this.#sql.exec<{ key: string }>('SELECT key FROM freed_keys LIMIT ?', rowsPerStep).toArray()
    for (const { key } of freed) {
      const { task } = this.load(key)
      if (!this.isOpen(task)) this.#sql.exec('UPDATE key_states SET task = NULL WHERE key = ?', key)
      this.#sql.exec('DELETE FROM freed_keys WHERE key = ?', key)
    }
    const isBehind = until < now || freed.length === rowsPerStep
    return { ended: ended.map(keyOf).filter((key) => key !== ''), freed: freed.map(keyOf), isBehind }
  }

  /** Whether a task has not ended. A key may be freed of a task after the next one has started, which then keeps it. */
  isOpen(task: number | null): boolean {
    return task !== null && openRow(this.#sql, task) !== undefined
  }

  /** When the next pause of a key ends, in milliseconds since 1970. */
  nextWake(): number {
    if (!this.#hasRows) return Number.POSITIVE_INFINITY
    const [next] = this.#sql.exec<{ until: number }>(
      `SELECT until FROM key_states INDEXED BY key_states_until WHERE until IS NOT NULL AND until > ? ORDER BY until LIMIT 1`,
      this.#wokenUntil,
    )
    return next?.until ?? Number.POSITIVE_INFINITY
  }

  /** Deletes the states that no longer matter, in bounded steps: those of keys without recent requests. */
  async cleanUp(now: number, maxPeriodMs: number): Promise<void> {
    for (let step = 0; this.#hasRows && step < stepsPerRun; step++) {
      const rows = this.#sql
        .exec<KeyStateRow>('SELECT * FROM key_states WHERE key > ? ORDER BY key LIMIT ?', this.#cleaned, rowsPerStep)
        .toArray()
      for (const row of rows) {
        const isOld = (row.until ?? 0) < now - idleStateMs
        const hasPeriod = row.period_at !== null && row.period_at + maxPeriodMs > now
        if (row.task === null && !hasPeriod && (row.failures === 0 ? !isPaused(row, now) : isOld))
          this.#sql.exec('DELETE FROM key_states WHERE key = ?', row.key)
      }
      this.#cleaned = rows.length < rowsPerStep ? '' : rows.at(-1)!.key
      if (this.#cleaned === '') return
      await scheduler.wait(1)
    }
  }
}

const keyOf = ({ key }: { key: string }) => key

/** Rows that one call of `pausedKeys` reads. */
const maxSearched = 10_000

/** A flow key that is paused, or whose circuit is open. */
export type PausedKey = { key: string; until: number; failures: number }

/** The paused keys, at most `limit`, those that are paused for the longest time first. */
export const pausedKeys = (sql: SqlStorage, now: number, limit: number): PausedKey[] =>
  sql
    .exec<PausedKey>(
      `SELECT key, until, failures FROM (
         SELECT * FROM key_states INDEXED BY key_states_until
         WHERE until IS NOT NULL AND until > ?1 ORDER BY until DESC LIMIT ${maxSearched})
       WHERE key <> '' LIMIT ?2`,
      now,
      limit,
    )
    .toArray()
