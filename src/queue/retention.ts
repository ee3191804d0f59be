const perStep = 1_000
const steps = 200

/** Forgets tasks that ended before `before`, and the pieces of fractions that did; in steps, between which others have their turn. */
export async function forgetEnded(sql: SqlStorage, before: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const forgotten = sql
      .exec<{ id: number; kind: string }>(
        `DELETE FROM tasks WHERE id IN (
           SELECT id FROM tasks
           WHERE state IN ('done', 'failed', 'lost', 'canceled') AND ended_at IS NOT NULL AND ended_at < ? AND parent IS NULL
           LIMIT ${perStep})
         RETURNING id, kind`,
        before,
      )
      .toArray()
    for (const { id, kind } of forgotten) if (kind === 'fraction') sql.exec('DELETE FROM tasks WHERE parent = ?', id)
    if (forgotten.length < perStep) return
    await scheduler.wait(1)
  }
}
