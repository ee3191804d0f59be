// Tests by SQLite's query plans that each query of the queue uses an index, so that it stays fast with millions of tasks.
import { describe, expect, it } from 'vitest'
import { addOperation, nextOperation, stepOperation } from '#queue/bulk-operations'
import { DepthCounter } from '#queue/depth'
import { recover, settle } from '#queue/leases'
import { deleteEnded } from '#queue/retention'
import { runSchedules } from '#queue/schedules'
import { cancelTask, retryTask } from '#queue/task-actions'
import { listRows } from '#queue/task-list'
import { failedPieces } from '#queue/tasks'
import { nextDue, onTables, put, putFraction, takeDue } from './support.ts'

/** Runs a function and returns the query plan of each SQL statement that it executed, such as `SCAN tasks USING INDEX …`. */
async function plansOf(sql: SqlStorage, verb: (sql: SqlStorage) => unknown): Promise<string[]> {
  const sent: [string, SqlStorageValue[]][] = []
  const recording = {
    exec: (statement: string, ...values: SqlStorageValue[]) => {
      sent.push([statement, values])
      return sql.exec(statement, ...values)
    },
  }
  await verb(recording as SqlStorage)
  expect(sent).not.toEqual([])
  return sent.flatMap(([statement, values]) =>
    sql
      .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...values)
      .toArray()
      .map(({ detail }) => detail),
  )
}

/** Whether a query plan reads a whole table without an index, or sorts rows. */
const isDear = (detail: string) => /^SCAN (tasks|schedules)$|USE TEMP B-TREE/.test(detail)

const dearOnes = async (sql: SqlStorage, verb: (sql: SqlStorage) => unknown) =>
  (await plansOf(sql, verb)).filter(isDear)

function fill(sql: SqlStorage) {
  for (let n = 0; n < 200; n++) {
    put(sql, { state: 'done', ended_at: n })
    put(sql, { due_at: 1_000 + n })
  }
}

describe('the cost of a query does not grow with the number of stored tasks', () => {
  it('leases due tasks by an index', () =>
    onTables(async (sql) => {
      fill(sql)
      const plans = await plansOf(sql, (sql) => takeDue(sql, 1_000))
      expect(plans).toContainEqual(
        expect.stringMatching(
          /^SEARCH tasks USING INDEX tasks_waiting \(priority=\? AND key=\? AND due_at=\? AND id>\?\)$/,
        ),
      )
      expect(plans.filter(isDear)).toEqual([])
    }))

  it.each([
    ['a fraction', 200, 0],
    ['a fraction that fails', 500, 0],
    ['a fraction that is repeated', 500, 5],
  ])('leases and settles the pieces of %s by an index', (_, status, retries) =>
    onTables(async (sql) => {
      fill(sql)
      putFraction(sql, 1, 2, 1, { retries, retry_delay: 0 })
      const work = (sql: SqlStorage) => {
        for (const now of [1, 2, 3]) {
          const lease = takeDue(sql, now)
          if (lease) settle(sql, lease, { status, error: null }, now)
        }
      }
      expect(await dearOnes(sql, work)).toEqual([])
    }),
  )

  it('leases the pieces of a fraction with too many waiting retries by an index', () =>
    onTables(async (sql) => {
      const id = putFraction(sql, 1, 5_000, 1)
      for (let n = 0; n < 1_000; n++) put(sql, { kind: 'piece', parent: id, min: 0, max: 0, due_at: 500 })
      expect(await dearOnes(sql, (sql) => takeDue(sql, 100))).toEqual([])
    }))

  it.each([200, 500])('settles a task with response %i by its number', (status) =>
    onTables(async (sql) => {
      fill(sql)
      const lease = takeDue(sql, 1_000)!
      expect(await dearOnes(sql, (sql) => settle(sql, lease, { status, error: null }, 1_001))).toEqual([])
    }),
  )

  it('finds the next due task, depth, running tasks and due schedules by an index', () =>
    onTables(async (sql) => {
      fill(sql)
      const depth = (sql: SqlStorage, now: number) => new DepthCounter(sql).at(now)
      for (const verb of [nextDue, depth, recover]) expect(await dearOnes(sql, (sql) => verb(sql, 1_000))).toEqual([])
      expect(await dearOnes(sql, (sql) => runSchedules(sql, 1_000))).toEqual([])
    }))

  it('cancels and retries by an index', () =>
    onTables(async (sql) => {
      fill(sql)
      const id = putFraction(sql, 1, 5, 1, { due_at: 0 })
      settle(sql, takeDue(sql, 1)!, { status: 500, error: null }, 2)
      expect(await dearOnes(sql, (sql) => cancelTask(sql, id, 5))).toEqual([])
      expect(await dearOnes(sql, (sql) => retryTask(sql, id, 6))).toEqual([])
    }))

  it('deletes ended tasks by an index', () =>
    onTables(async (sql) => {
      fill(sql)
      expect(await dearOnes(sql, (sql) => deleteEnded(sql, { before: 100, maxEnded: 10, maxBytes: 1e12 }))).toEqual([])
    }))
})

describe('an operation on many tasks', () => {
  it.each([{}, { label: 'a' }, { key: 'a', from: 1, to: 2 }])('finds the tasks of %j by an index', (filter) =>
    onTables(async (sql) => {
      fill(sql)
      const run = (sql: SqlStorage) => {
        for (const action of ['retry', 'cancel', 'delete'] as const)
          addOperation(sql, { name: action, action, filter }, 1)
        for (let next = nextOperation(sql); next; next = nextOperation(sql))
          stepOperation(sql, next, 1, () => undefined)
      }
      expect(await dearOnes(sql, run)).toEqual([])
    }),
  )
})

const page = { limit: 10, offset: 0, count: true }

describe('a list', () => {
  it.each(['waiting', 'running', 'done', 'failed', 'lost', 'canceled'] as const)(
    'of tasks that are %s is read in order by an index',
    (state) =>
      onTables(async (sql) => {
        fill(sql)
        expect(await dearOnes(sql, (sql) => listRows(sql, { ...page, state }))).toEqual([])
      }),
  )

  it.each([
    { kind: 'fraction' },
    { schedule: 'a' },
    { schedule: 'a', state: 'done' },
    { kind: 'task', state: 'done' },
    { label: 'a' },
    { label: 'a', state: 'done' },
    { key: 'a', state: 'waiting' },
    { key: 'a', state: 'failed' },
  ] as const)('of %j is read in order by an index', (params) =>
    onTables(async (sql) => {
      fill(sql)
      expect(await dearOnes(sql, (sql) => listRows(sql, { ...page, ...params }))).toEqual([])
    }),
  )

  it('of all tasks is read newest first, without sorting', () =>
    onTables(async (sql) => {
      fill(sql)
      const plans = await plansOf(sql, (sql) => listRows(sql, { ...page, count: false }))
      expect(plans).toContain('SEARCH tasks USING INTEGER PRIMARY KEY (rowid<?)')
      expect(plans.filter(isDear)).toEqual([])
    }))

  it('of failed and lost pieces is found by an index', () =>
    onTables(async (sql) => {
      const id = putFraction(sql, 1, 5, 1)
      const plans = await plansOf(sql, (sql) => failedPieces(sql, id))
      expect(plans[0]).toContain('USING INDEX tasks_pieces (parent=?')
    }))
})
