/** How much waits in line. */
export interface Depth {
  depth: number
  due: number
  oldest_due_at: Date | null
}

export function depthOf(sql: SqlStorage, now: number): Depth {
  const { depth, due, oldest } = sql
    .exec<{ depth: number; due: number; oldest: number | null }>(
      `SELECT count(*) AS depth, count(*) FILTER (WHERE due_at <= ?1) AS due, min(due_at) FILTER (WHERE due_at <= ?1) AS oldest
       FROM tasks WHERE state = 'waiting'`,
      now,
    )
    .one()
  return { depth, due, oldest_due_at: oldest === null ? null : new Date(oldest) }
}

/** When the first task that waits is due, in milliseconds. */
export function nextDue(sql: SqlStorage): number {
  const { at } = sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM tasks WHERE state = 'waiting'`).one()
  return at ?? Number.POSITIVE_INFINITY
}
