// Chooses the next due task of a worker: flow keys take turns (round robin), and each key has a concurrency limit.
import { lightColumns, type TaskRow } from './tables.ts'

/** Migration that adds the flow key, an index of the waiting tasks of each key by due time, and an index of those of all keys. */
export const addFlowKey = `
ALTER TABLE tasks ADD COLUMN key TEXT;
DROP INDEX tasks_waiting;
CREATE INDEX tasks_waiting ON tasks (key, due_at, id) WHERE state = 'waiting';
CREATE INDEX tasks_keyed ON tasks (due_at, id, key) WHERE state = 'waiting' AND key IS NOT NULL;
`

/** Number of due rows that one query reads ahead into memory: of the tasks without a key, and of the tasks of one key. */
const readAheadRows = 64
const keyReadAheadRows = 8

/** Maximum number of flow keys in memory. Further keys are found when keys in memory have no due task left. */
const maxActiveKeys = 20_000

/** Limits of the search for keys with due tasks: index entries that one step reads, and keys that are looked up at startup. */
const discoveryRows = 2_000
const startupKeys = 1_000

/** A position in the order of due tasks. */
type Position = { due_at: number; id: number }

const beginning: Position = { due_at: Number.MIN_SAFE_INTEGER, id: 0 }

/** The due tasks of one key. Tasks without a key are one flow too. */
interface Flow {
  key: string | null
  /** Tasks of the key that run, or that hold a slot after a crash. */
  running: number
  /** Whether the flow waits for its turn in the round robin. */
  isReady: boolean
  /** Whether all due rows of the flow were read. `noteWaiting` and `advance` reset it when a further row is due. */
  isDrained: boolean
  rows: TaskRow[]
  lastRead: Position
}

interface FlowSettings {
  now: number
  /** Tasks of one key that may run at a time. */
  limit: number
  /** Whether a row that still says `waiting` is already leased or done, according to the journal. */
  isPending: (task: number) => boolean
}

/**
 * Fair scheduler: a key at its concurrency limit is skipped without reading its tasks. Tasks without a key are one more flow, without a limit. Every operation costs O(log n) index reads.
 */
export class FlowScheduler {
  readonly #sql: SqlStorage
  #limit: number
  readonly #isPending: (task: number) => boolean
  readonly #flows = new Map<string | null, Flow>()
  #ready: Flow[] = []
  #head = 0
  /** Position up to which the search has come: each key with a due task before it is in memory. */
  #discovered = beginning
  /** Whether the last `advance` stopped at its limit, so that more due tasks may follow. */
  #isBehind = false

  constructor(sql: SqlStorage, { now, limit, isPending }: FlowSettings) {
    this.#sql = sql
    this.#limit = limit
    this.#isPending = isPending
    this.#findKeys(now)
  }

  /** Changes the number of tasks of one key that may run at a time. */
  setLimit(limit: number): void {
    this.#limit = limit
    for (const flow of this.#flows.values()) this.#push(flow)
  }

  /** Finds the flows that have become due by `now`. Call it once per step, before `next`. */
  advance(now: number): void {
    this.#activate(null)
    // After the clock was set back, new tasks may be due before the position of the search: continue from `now`.
    if (now < this.#discovered.due_at) this.#discovered = { due_at: now, id: 0 }
    const keyed = this.#sql.exec<Position & { key: string }>(
      `${rowsAfter('due_at, id, key', keyedRange)} LIMIT ${discoveryRows}`,
      this.#discovered.due_at,
      this.#discovered.id,
      now,
    )
    let read = 0
    for (const { due_at, id, key } of keyed) {
      if (!this.#activate(key)) break
      this.#discovered = { due_at, id }
      read++
    }
    this.#isBehind = read === discoveryRows
  }

  /** The next due row, round robin over the flows; undefined if no flow has one that may run. */
  next(now: number): TaskRow | undefined {
    for (let flow = this.#shift(); flow; flow = this.#shift()) {
      if (flow.running >= this.#limit) continue
      const row = flow.rows.shift() ?? this.#read(flow, now)
      if (row) {
        this.#push(flow)
        return row
      }
      this.#dropIfIdle(flow)
    }
    return undefined
  }

  /** Counts a task of the key as running, against the key's concurrency limit. */
  start(key: string | null): void {
    if (key !== null) this.#flowOf(key).running++
  }

  /** Counts a task of the key as ended, so that the next task of the key may run. */
  end(key: string | null): void {
    if (key === null) return
    const flow = this.#flowOf(key)
    flow.running = Math.max(0, flow.running - 1)
    if (flow.isDrained && flow.rows.length === 0) this.#dropIfIdle(flow)
    else this.#push(flow)
  }

  /** Call it for each row that was inserted, waits again or has a new due time: the scheduler may have read past its position. */
  noteWaiting(row: Pick<TaskRow, 'key' | 'due_at' | 'id'>): void {
    const { key, due_at } = row
    const flow = this.#flows.get(key)
    if (flow) {
      if (!isAfter(row, flow.lastRead)) rewind(flow)
      flow.isDrained = false
      this.#push(flow)
    }
    if (key === null || isAfter(row, this.#discovered) || this.#activate(key)) return
    this.#discovered = { due_at, id: 0 }
  }

  /** Drops the rows that were read ahead. Call it when other code may change the table, such as by canceling a task. */
  invalidate(): void {
    for (const flow of this.#flows.values()) rewind(flow)
  }

  /** When `next` may return a row again after it returned none: now if discovery is not finished, else the first due time. */
  nextDue(now: number): number {
    if (this.#isBehind || this.#head < this.#ready.length) return now
    const { at } = this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(due_at) AS at FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND key IS NULL`,
      )
      .one()
    return Math.min(at ?? Number.POSITIVE_INFINITY, this.#nextKeyed())
  }

  #nextKeyed(): number {
    if (this.#flows.size >= maxActiveKeys) return Number.POSITIVE_INFINITY
    const [first] = this.#sql.exec<{ due_at: number }>(
      `${rowsAfter('due_at, id', keyedRange)} LIMIT 1`,
      this.#discovered.due_at,
      this.#discovered.id,
      Number.MAX_SAFE_INTEGER,
    )
    return first?.due_at ?? Number.POSITIVE_INFINITY
  }

  /** Finds the first keys at startup by jumping from key to key, which does not read all tasks of a key. */
  #findKeys(now: number): void {
    for (let key = '', found = 0; found < startupKeys; found++) {
      const [next] = this.#sql.exec<{ key: string }>(
        `SELECT key FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND key > ? ORDER BY key LIMIT 1`,
        key,
      )
      if (!next) {
        this.#discovered = { due_at: now, id: Number.MAX_SAFE_INTEGER }
        return
      }
      key = next.key
      this.#activate(key)
    }
  }

  /** Reads the next due rows of a flow that are not leased yet, and returns the first. */
  #read(flow: Flow, now: number): TaskRow | undefined {
    const limit = flow.key === null ? readAheadRows : keyReadAheadRows
    while (!flow.isDrained) {
      const rows = dueRows(this.#sql, { key: flow.key, after: flow.lastRead, limit }, now)
      flow.isDrained = rows.length < limit
      if (rows.length > 0) flow.lastRead = rows.at(-1)!
      flow.rows = rows.filter(({ id }) => !this.#isPending(id))
      if (flow.rows.length > 0) return flow.rows.shift()
    }
    return undefined
  }

  /** Adds the flow to the round robin; false if too many keys are in memory. */
  #activate(key: string | null): boolean {
    if (!this.#flows.has(key) && this.#flows.size >= maxActiveKeys) return false
    const flow = this.#flowOf(key)
    flow.isDrained = false
    this.#push(flow)
    return true
  }

  #flowOf(key: string | null): Flow {
    const known = this.#flows.get(key)
    if (known) return known
    const flow = { key, running: 0, isReady: false, isDrained: true, rows: [], lastRead: beginning }
    this.#flows.set(key, flow)
    return flow
  }

  #dropIfIdle(flow: Flow): void {
    if (flow.key !== null && flow.running === 0 && !flow.isReady) this.#flows.delete(flow.key)
  }

  #push(flow: Flow): void {
    if (flow.isReady) return
    flow.isReady = true
    this.#ready.push(flow)
  }

  #shift(): Flow | undefined {
    const flow = this.#ready[this.#head++]
    if (!flow) {
      this.#ready = []
      this.#head = 0
      return undefined
    }
    if (this.#head >= 1_024 && this.#head * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#head)
      this.#head = 0
    }
    flow.isReady = false
    return flow
  }
}

function rewind(flow: Flow): void {
  flow.rows = []
  flow.lastRead = beginning
  flow.isDrained = false
}

const isAfter = (one: Position, other: Position) =>
  one.due_at > other.due_at || (one.due_at === other.due_at && one.id > other.id)

const keyedRange = `INDEXED BY tasks_keyed WHERE state = 'waiting' AND key IS NOT NULL`

/**
 * SQL for the rows of an index after the position (`?1`, `?2`) that are due by `?3`, in the order of the queue. The rows with the
 * same due time are a range of their index: for a comparison of pairs, `(due_at, id) > (?1, ?2)`, SQLite would not use the id in it.
 */
const rowsAfter = (columns: string, range: string) =>
  `SELECT ${columns} FROM tasks ${range} AND due_at = ?1 AND id > ?2 AND ?1 <= ?3
   UNION ALL SELECT ${columns} FROM tasks ${range} AND due_at > ?1 AND due_at <= ?3 ORDER BY due_at, id`

/** The first due rows of a key after a position, in the order of the queue. */
const dueRows = (
  sql: SqlStorage,
  { key, after, limit }: { key: string | null; after: Position; limit: number },
  now: number,
): TaskRow[] =>
  sql
    .exec<TaskRow>(
      `${rowsAfter(lightColumns, `INDEXED BY tasks_waiting WHERE state = 'waiting' AND key IS ?5`)} LIMIT ?4`,
      after.due_at,
      after.id,
      now,
      limit,
      key,
    )
    .toArray()
