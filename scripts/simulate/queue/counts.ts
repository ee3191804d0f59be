// Compares the counts of tasks per state, which the queue stores, with the rows.
import { countOf } from '#queue/counts'
import type { Disk } from '../platform/disk.ts'
import { storageOutside } from '../platform/storage.ts'

const states = ['waiting', 'running', 'done', 'failed', 'lost', 'canceled'] as const

/** The counts that differ from the rows. Call it in an event in which the journal was written to the rows. */
export function wrongCounts(disk: Disk): string[] {
  const { sql } = storageOutside(disk)
  const rows = disk.all(
    `SELECT CASE kind WHEN 'piece' THEN 'piece' ELSE 'whole' END AS kind, state, count(*) AS n FROM tasks GROUP BY 1, 2`,
  )
  const inRows = (kind: string, state: string) => rows.find((row) => row.kind === kind && row.state === state)?.n ?? 0
  const differenceOf = (kind: string, state: string, counted: number) => {
    const actual = Number(inRows(kind, state))
    return counted === actual ? [] : [`the count of ${kind} tasks that are ${state} is ${counted}, of rows ${actual}`]
  }
  return [
    ...states.flatMap((state) =>
      differenceOf('whole', state, countOf(sql, { kinds: ['task', 'fraction'], states: [state] })),
    ),
    ...differenceOf('piece', 'waiting', countOf(sql, { kinds: ['piece'], states: ['waiting'] })),
  ]
}
