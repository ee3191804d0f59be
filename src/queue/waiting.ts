/** How much waits in line. */
export interface Depth {
  depth: number
  due: number
  oldest_due_at: Date | null
}

/** To count a line is to read it: no more tasks of it than so many each second, however often it is asked for. */
const mostEachSecond = 100_000

/** How deep a line is; of one that is long, as it was some seconds ago. */
export class Depths {
  readonly #sql: SqlStorage
  #last: { depth: Depth; until: number } | undefined

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  at(now: number): Depth {
    if (this.#last && now < this.#last.until) return this.#last.depth
    const depth = depthOf(this.#sql, now)
    this.#last = { depth, until: now + 1000 * Math.floor(depth.depth / mostEachSecond) }
    return depth
  }
}

/** Of the first `most` in line, or of all. */
export function depthOf(sql: SqlStorage, now: number, most = -1): Depth {
  const { depth, due, oldest } = sql
    .exec<{ depth: number; due: number; oldest: number | null }>(
      `SELECT count(*) AS depth, count(*) FILTER (WHERE due_at <= ?1) AS due, min(due_at) FILTER (WHERE due_at <= ?1) AS oldest
       FROM (SELECT due_at FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting' ORDER BY due_at, id LIMIT ?2)`,
      now,
      most,
    )
    .one()
  return { depth, due, oldest_due_at: oldest === null ? null : new Date(oldest) }
}

/** When the first task that waits is due, in milliseconds. */
export function nextDue(sql: SqlStorage): number {
  const { at } = sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM tasks WHERE state = 'waiting'`).one()
  return at ?? Number.POSITIVE_INFINITY
}
