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

/** Counts at most `most` rows that wait and at most `most` that are due, or all. */
export function depthOf(sql: SqlStorage, now: number, most = -1): Depth {
  const waiting = `SELECT due_at FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting'`
  const keyed = `SELECT due_at FROM tasks INDEXED BY tasks_keyed WHERE state = 'waiting' AND key IS NOT NULL AND due_at <= ?1`
  const { depth, due, oldest } = sql
    .exec<{ depth: number; due: number; oldest: number | null }>(
      `SELECT (SELECT count(*) FROM (${waiting} LIMIT ?2)) AS depth,
         (SELECT count(*) FROM (SELECT * FROM (${waiting} AND key IS NULL AND due_at <= ?1 LIMIT ?2)
            UNION ALL SELECT * FROM (${keyed} LIMIT ?2) LIMIT ?2)) AS due,
         (SELECT min(at) FROM (SELECT (${waiting} AND key IS NULL AND due_at <= ?1 ORDER BY due_at LIMIT 1) AS at
            UNION ALL SELECT (${keyed} ORDER BY due_at LIMIT 1))) AS oldest`,
      now,
      most,
    )
    .one()
  return { depth, due, oldest_due_at: oldest === null ? null : new Date(oldest) }
}
