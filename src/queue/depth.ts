// Measures the depth of a worker's queue. Due tasks are counted in steps and the count is cached, since a queue may be long.
import { countOf } from './counts.ts'
import { flowsRange, plainRange } from './due-rows.ts'
import type { Pause } from './task-list.ts'

/** Number of waiting and due tasks of a worker. */
interface Depth {
  depth: number
  due: number
  oldest_due_at: Date | null
}

/** Index entries counted per step. Between two steps the object handles other work. */
const stepRows = 20_000

/** The count of due tasks is cached for one second per this number of due tasks. */
const tasksPerSecondOfAge = 100_000

/** Measures the depth, and caches the count of due tasks: the more tasks are due, the longer, since counting them takes longer. */
export class DepthCounter {
  readonly #sql: SqlStorage
  #last: { due: number; until: number } | undefined
  #counting: Promise<number> | undefined

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  async at(now: number, pause: Pause = () => scheduler.wait(1)): Promise<Depth> {
    const due = this.#last && now < this.#last.until ? this.#last.due : await this.#count(now, pause)
    const depth = waitingRows(this.#sql)
    return { depth, due: Math.min(due, depth), oldest_due_at: oldestDue(this.#sql, now) }
  }

  /** Counts the due tasks and caches the number. Concurrent calls wait for the same count. */
  async #count(now: number, pause: Pause): Promise<number> {
    this.#counting ??= countDue(this.#sql, now, pause)
    try {
      const due = await this.#counting
      this.#last = { due, until: now + 1000 * Math.floor(due / tasksPerSecondOfAge) }
      return due
    } finally {
      this.#counting = undefined
    }
  }
}

const waitingRows = (sql: SqlStorage) => countOf(sql, { kinds: ['task', 'fraction', 'piece'], states: ['waiting'] })

const ranges = [plainRange, flowsRange]

async function countDue(sql: SqlStorage, now: number, pause: Pause): Promise<number> {
  let total = 0
  for (const range of ranges) {
    const rows = `SELECT due_at, id FROM ${range} AND due_at = ?1 AND id > ?2 AND ?1 <= ?3
      UNION ALL SELECT due_at, id FROM ${range} AND due_at > ?1 AND due_at <= ?3
      ORDER BY due_at, id LIMIT ${stepRows}`
    for (let after: [number, number] | undefined = [Number.MIN_SAFE_INTEGER, 0]; after; ) {
      total += sql.exec<{ n: number }>(`SELECT count(*) AS n FROM (${rows})`, ...after, now).one().n
      const last = `SELECT due_at, id FROM (${rows}) LIMIT 1 OFFSET ${stepRows - 1}`
      const [end]: { due_at: number; id: number }[] = sql
        .exec<{ due_at: number; id: number }>(last, ...after, now)
        .toArray()
      after = end && [end.due_at, end.id]
      if (after) await pause()
    }
  }
  return total
}

function oldestDue(sql: SqlStorage, now: number): Date | null {
  const first = (range: string) =>
    sql.exec<{ at: number }>(`SELECT due_at AS at FROM ${range} AND due_at <= ? ORDER BY due_at, id LIMIT 1`, now)
  const due = ranges.flatMap((range) =>
    first(range)
      .toArray()
      .map(({ at }) => at),
  )
  return due.length > 0 ? new Date(Math.min(...due)) : null
}
