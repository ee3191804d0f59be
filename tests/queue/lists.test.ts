// Tests of lists of tasks, of the stored counts, and of the deletion of ended tasks, on the tables of a backlog.
import { describe, expect, it } from 'vitest'
import type { TaskState } from '#queue/contract'
import { countOf, createCounts } from '#queue/counts'
import { deleteEnded, hasRoom, makeRoom } from '#queue/retention'
import { type ListRequest, listRows } from '#queue/task-list'
import { onTables, put, putFraction } from './support.ts'

const all = { limit: 1_000, offset: 0, count: false }

const idsOf = async (sql: SqlStorage, params: Partial<ListRequest> = {}) =>
  (await listRows(sql, { ...all, ...params })).rows.map(({ id }) => id)

/** Inserts tasks in each state, tasks of schedules, fractions and pieces. Later tasks have ended earlier, to tell the orders apart. */
function fill(sql: SqlStorage) {
  const states = ['running', 'waiting', 'done', 'failed', 'lost', 'canceled', 'waiting', 'done', 'failed'] as const
  const endedAt = (state: TaskState, i: number) => (state === 'waiting' || state === 'running' ? null : 1_000 - i)
  const tasks = states.map((state, i) => put(sql, { state, due_at: 500 - i, ended_at: endedAt(state, i) }))
  const scheduled = [put(sql, { schedule: 'a' }), put(sql, { schedule: 'b' }), put(sql, { schedule: 'a', due_at: 900 })]
  const fractions = [putFraction(sql, 1, 9, 1), putFraction(sql, 1, 9, 1, { state: 'done', ended_at: 5 })]
  put(sql, { kind: 'piece', parent: fractions[0]!, min: 1, max: 1, state: 'failed', ended_at: 2_000 })
  put(sql, { kind: 'piece', parent: fractions[0]!, min: 2, max: 2, due_at: 1 })
  return { tasks, scheduled, fractions }
}

describe('a list', () => {
  it('has tasks and fractions without pieces, newest first', () =>
    onTables(async (sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      expect(await idsOf(sql)).toEqual([...tasks, ...scheduled, ...fractions].reverse())
    }))

  it('has waiting tasks in the order of execution', () =>
    onTables(async (sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      const now = [scheduled[0], scheduled[1], fractions[0]]
      expect(await idsOf(sql, { state: 'waiting' })).toEqual([...now, tasks[6], tasks[1], scheduled[2]])
    }))

  it('has ended tasks sorted by end, newest first', () =>
    onTables(async (sql) => {
      const { tasks, fractions } = fill(sql)
      expect(await idsOf(sql, { state: 'done' })).toEqual([tasks[2], tasks[7], fractions[1]])
      expect(await idsOf(sql, { state: 'failed' })).toEqual([tasks[3], tasks[8]])
      expect(await idsOf(sql, { state: 'lost' })).toEqual([tasks[4]])
      expect(await idsOf(sql, { state: 'canceled' })).toEqual([tasks[5]])
      const same = [1, 2].map(() => put(sql, { state: 'lost', ended_at: 5_000 }))
      expect(await idsOf(sql, { state: 'lost' })).toEqual([...same.reverse(), tasks[4]])
    }))

  it('has running tasks newest first', () =>
    onTables(async (sql) => {
      const { tasks } = fill(sql)
      const another = put(sql, { state: 'running' })
      expect(await idsOf(sql, { state: 'running' })).toEqual([another, tasks[0]])
    }))

  it('can be filtered by kind', () =>
    onTables(async (sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      expect(await idsOf(sql, { kind: 'fraction' })).toEqual([fractions[1], fractions[0]])
      expect(await idsOf(sql, { kind: 'task' })).toEqual([...tasks, ...scheduled].reverse())
      expect(await idsOf(sql, { kind: 'fraction', state: 'done' })).toEqual([fractions[1]])
      expect(await idsOf(sql, { kind: 'task', state: 'done' })).toEqual([tasks[2], tasks[7]])
    }))

  it('can be filtered by schedule', () =>
    onTables(async (sql) => {
      const { scheduled } = fill(sql)
      expect(await idsOf(sql, { schedule: 'a' })).toEqual([scheduled[2], scheduled[0]])
      expect(await idsOf(sql, { schedule: 'a', state: 'waiting', kind: 'task' })).toHaveLength(2)
      expect(await idsOf(sql, { schedule: 'a', state: 'done' })).toEqual([])
      expect(await idsOf(sql, { schedule: 'a', kind: 'fraction' })).toEqual([])
      expect(await idsOf(sql, { schedule: "a' OR 1=1 --" })).toEqual([])
    }))

  it('is paged, and counts all matches', () =>
    onTables(async (sql) => {
      fill(sql)
      for (const params of [
        {},
        { state: 'waiting' },
        { state: 'done' },
        { kind: 'task' },
        { schedule: 'a' },
      ] as const) {
        const whole = await idsOf(sql, params)
        const pages = await Promise.all(
          whole.map(async (_, offset) => (await idsOf(sql, { ...params, limit: 1, offset }))[0]),
        )
        expect(pages).toEqual(whole)
        expect(await idsOf(sql, { ...params, offset: whole.length })).toEqual([])
        const counted = await listRows(sql, { ...params, limit: 1, offset: 1, count: true })
        expect(counted).toMatchObject({ rows: [{ id: whole[1] }], nb_results: whole.length })
        expect(await listRows(sql, { ...params, ...all })).not.toHaveProperty('nb_results')
      }
    }))

  it('yields to other events every few thousand rows at a large offset', () =>
    onTables(async (sql) => {
      const columns =
        'kind, state, due_at, ended_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at, key'
      for (const [state, ended, key] of [
        ['done', 'i', null],
        ['waiting', 'NULL', null],
        ['waiting', 'NULL', 'a'],
      ] as const)
        sql.exec(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
           INSERT INTO tasks (${columns}) SELECT 'task', ?, i, ${ended}, 'POST', 'http://a.dev/', 0, 1, 0, 0, 0, 0, ? FROM n`,
          state,
          key,
        )
      for (const [params, last, steps] of [
        [{ state: 'done' }, 1, 2],
        [{ state: 'waiting' }, 36_000, 4],
        [{}, 1, 7],
        [{ kind: 'task' }, 1, 7],
      ] as const) {
        let pauses = 0
        const pause = async () => void pauses++
        const offset = params === undefined || 'state' in params ? (params.state === 'done' ? 11_999 : 23_999) : 35_999
        const { rows } = await listRows(sql, { ...params, limit: 5, offset, count: false }, pause)
        expect([rows.map(({ id }) => id), pauses]).toEqual([[last], steps])
      }
    }))
})

describe('the counters', () => {
  it('have the number of tasks and fractions per state, without reading the rows', () =>
    onTables((sql) => {
      fill(sql)
      const counted = (kind: string, state: string) =>
        sql.exec<{ n: number }>('SELECT count(*) AS n FROM tasks WHERE kind = ? AND state = ?', kind, state).one().n
      for (const kind of ['task', 'fraction'] as const)
        for (const state of ['waiting', 'running', 'done', 'failed', 'lost', 'canceled'] as const)
          expect([kind, state, countOf(sql, { kinds: [kind], states: [state] })]).toEqual([
            kind,
            state,
            counted(kind, state),
          ])
    }))

  it('include rows stored by an earlier version', () =>
    onTables((sql) => {
      fill(sql)
      sql.exec('DROP TABLE counts')
      sql.exec(createCounts)
      put(sql)
      expect(countOf(sql, { kinds: ['task'], states: ['waiting'] })).toBe(6)
      expect(countOf(sql, { kinds: ['piece'], states: ['waiting'] })).toBe(1)
      expect(countOf(sql, { kinds: ['fraction'] })).toBe(2)
    }))
})

it('reads rows in batches of twenty, since each may have 1 MB, and skips rows that are deleted meanwhile', () =>
  onTables(async (sql) => {
    for (let n = 0; n < 50; n++) put(sql)
    let pauses = 0
    const pause = async () => {
      if (++pauses === 2) sql.exec('DELETE FROM tasks WHERE id = 1')
    }
    const { rows } = await listRows(sql, { ...all, limit: 50 }, pause)
    expect([pauses, rows.length]).toEqual([2, 49])
  }))

describe('an ended task', () => {
  const limits = { before: 0, maxEnded: 1_000_000, maxBytes: 1e12 }

  const left = (sql: SqlStorage) =>
    sql
      .exec<{ id: number }>('SELECT id FROM tasks ORDER BY id')
      .toArray()
      .map(({ id }) => id)

  it('is deleted after the retention time, and other tasks are kept', () =>
    onTables(async (sql) => {
      const states = ['done', 'failed', 'lost', 'canceled'] as const
      for (const state of states) put(sql, { state, ended_at: 99 })
      const recent = states.map((state) => put(sql, { state, ended_at: 100 }))
      const open = (['waiting', 'running'] as const).map((state) => put(sql, { state }))
      await deleteEnded(sql, { ...limits, before: 100 })
      expect(left(sql)).toEqual([...recent, ...open])
    }))

  it('keeps its pieces if it is a fraction, until it is deleted', () =>
    onTables(async (sql) => {
      const [old, open] = [putFraction(sql, 1, 9, 1, { state: 'failed', ended_at: 50 }), putFraction(sql, 1, 9, 1)]
      const pieces = [old, open].map((parent) =>
        put(sql, { kind: 'piece', parent, min: 1, max: 1, state: 'failed', ended_at: 10 }),
      )
      await deleteEnded(sql, { ...limits, before: 100 })
      expect(left(sql)).toEqual([open, pieces[1]])
    }))

  it('that is a fraction is deleted in batches, the fraction first, so that no part is retried', () =>
    onTables(async (sql) => {
      const fraction = putFraction(sql, 1, 250, 1, { state: 'failed', ended_at: 50 })
      for (let n = 1; n <= 250; n++)
        put(sql, { kind: 'piece', parent: fraction, min: n, max: n, state: 'failed', ended_at: 10 })
      expect(makeRoom(sql, 100)).toBe(1)
      expect(left(sql)).not.toContain(fraction)
      expect([1, 2, 3, 4].map(() => makeRoom(sql, 100))).toEqual([100, 100, 50, 0])
      expect(left(sql)).toEqual([])
    }))

  it('is deleted for a new task if the worker is full, unless that frees too little', () =>
    onTables(async (sql) => {
      const json = JSON.stringify({ text: 'x'.repeat(10_000) })
      for (let n = 0; n < 20; n++) put(sql, { json })
      expect(hasRoom(sql, { fullAtBytes: 1e12, refusedAtBytes: 1e12 })).toBe(true)
      expect(hasRoom(sql, { fullAtBytes: 100_000, refusedAtBytes: 1e12 })).toBe(false)
      for (let ended_at = 0; ended_at < 150; ended_at++) put(sql, { state: 'done', ended_at })
      expect(hasRoom(sql, { fullAtBytes: 100_000, refusedAtBytes: 1e12 })).toBe(true)
      expect(hasRoom(sql, { fullAtBytes: 100_000, refusedAtBytes: 150_000 })).toBe(false)
      expect(left(sql)).toHaveLength(20)
    }))

  it('is deleted with all its rows, whatever their number', () =>
    onTables(async (sql) => {
      for (let n = 0; n < 2_500; n++) put(sql, { state: n % 2 ? 'done' : 'failed', ended_at: n })
      await deleteEnded(sql, { ...limits, before: 2_400 })
      expect(left(sql)).toHaveLength(100)
    }))

  it('is deleted above a maximum number: tasks that are done first, then the oldest', () =>
    onTables(async (sql) => {
      const failed = [1, 2].map((ended_at) => put(sql, { state: 'failed', ended_at }))
      for (let ended_at = 1; ended_at <= 5; ended_at++) put(sql, { state: 'done', ended_at })
      await deleteEnded(sql, { ...limits, maxEnded: 4 })
      expect(left(sql)).toEqual([...failed, 6, 7])
      await deleteEnded(sql, { ...limits, maxEnded: 1 })
      expect(left(sql)).toEqual([failed[1]])
      expect(countOf(sql, { kinds: ['task'] })).toBe(1)
    }))

  it('is deleted above a maximum size, and waiting tasks are kept', () =>
    onTables(async (sql) => {
      const json = JSON.stringify({ text: 'x'.repeat(10_000) })
      for (let n = 0; n < 300; n++) put(sql, { state: n % 2 ? 'done' : 'lost', ended_at: n, json })
      const waiting = put(sql, { json })
      await deleteEnded(sql, { ...limits, maxBytes: 200_000 })
      expect(left(sql)).toEqual([waiting])
      expect(sql.databaseSize).toBeLessThan(300_000)
      expect(makeRoom(sql, 100)).toBe(0)
    }))
})

describe('a list with a cursor', () => {
  /** Reads all pages of a list by their cursors. */
  async function paged(sql: SqlStorage, params: Partial<ListRequest>, limit = 1) {
    const ids: number[] = []
    let after: ListRequest['after']
    do {
      const { rows, next } = await listRows(sql, { ...all, ...params, limit, after })
      ids.push(...rows.map(({ id }) => id))
      after = next
    } while (after)
    return ids
  }

  it.each([{}, { state: 'waiting' }, { state: 'done' }, { kind: 'task' }, { schedule: 'a' }] as const)(
    'has all tasks of %j, although tasks are added meanwhile',
    (params) =>
      onTables(async (sql) => {
        fill(sql)
        const whole = await idsOf(sql, params)
        expect(await paged(sql, params)).toEqual(whole)
        expect(await paged(sql, params, 3)).toEqual(whole)
        const { next } = await listRows(sql, { ...all, ...params, limit: 1 })
        put(sql, { state: 'done', ended_at: 1_500, schedule: 'a', due_at: -1 })
        expect(await idsOf(sql, { ...params, after: next })).toEqual(whole.slice(1))
      }),
  )

  it('has the tasks with a label or a key, in each combination with a state', () =>
    onTables(async (sql) => {
      const columns = { labels: '["a"]', key: 'k' }
      const [done, waiting, later] = [
        put(sql, { ...columns, state: 'done', ended_at: 1 }),
        put(sql, columns),
        put(sql, { ...columns, due_at: 5, labels: '["b"]' }),
      ]
      fill(sql)
      expect(await paged(sql, { label: 'a' })).toEqual([waiting, done])
      expect(await paged(sql, { label: 'a', state: 'done' })).toEqual([done])
      expect(await paged(sql, { label: 'a', key: 'other' })).toEqual([])
      expect(await paged(sql, { key: 'k' })).toEqual([later, waiting, done])
      expect(await paged(sql, { key: 'k', state: 'waiting' })).toEqual([waiting, later])
      expect(await paged(sql, { key: 'k', state: 'done' })).toEqual([done])
      expect(await paged(sql, { key: 'k', label: 'b', kind: 'task' })).toEqual([later])
      expect(await paged(sql, { label: 'a', schedule: 'a' })).toEqual([])
      expect(await listRows(sql, { ...all, label: 'a', count: true })).toMatchObject({ nb_results: 2 })
    }))

  it('ends a page after a number of steps, and continues from there', () =>
    onTables(async (sql) => {
      const first = put(sql, { key: 'rare' })
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
         INSERT INTO tasks (kind, state, due_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at)
         SELECT 'task', 'running', 0, 'POST', 'http://a.dev/', 0, 1, 0, 0, 0, 0 FROM n`,
      )
      const page = await listRows(sql, { ...all, key: 'rare' }, async () => undefined)
      expect(page).toMatchObject({ rows: [], next: expect.any(Object) })
      expect(await idsOf(sql, { key: 'rare', after: page.next })).toEqual([first])
    }))
})
