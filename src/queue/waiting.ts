/** How much waits in line. */
export interface Depth {
  depth: number
  due: number
  oldest_due_at: Date | null
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
