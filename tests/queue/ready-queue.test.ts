// Tests of the order in which due tasks and pieces of fractions are leased, and of the depth, on the tables of a backlog.
import { describe, expect, it } from 'vitest'
import { DepthCounter } from '#queue/depth'
import { aimOf, nextDue, onTables, put, putFraction, rowOf, takeAll, takeDue } from './support.ts'

describe('the queue', () => {
  it('leases tasks by due time, then by creation', () =>
    onTables((sql) => {
      const [late, early, same] = [300, 100, 100].map((due_at) => put(sql, { due_at }))
      const first = put(sql, { due_at: 50 })
      expect(takeAll(sql, 300)).toEqual([first, early, same, late])
    }))

  it('leases no task before it is due', () =>
    onTables((sql) => {
      const id = put(sql, { due_at: 100 })
      expect(nextDue(sql, 50)).toBe(100)
      expect(takeDue(sql, 99)).toBeUndefined()
      expect(takeDue(sql, 100)).toMatchObject({ task: id })
    }))

  it('leases no task twice, and no ended task', () =>
    onTables((sql) => {
      for (const state of ['running', 'done', 'failed', 'lost', 'canceled'] as const) put(sql, { state, tries: 1 })
      expect(nextDue(sql, 100)).toBe(Number.POSITIVE_INFINITY)
      expect(takeDue(sql, 100)).toBeUndefined()
      put(sql)
      expect(takeDue(sql, 100)).toBeDefined()
      expect(takeDue(sql, 100)).toBeUndefined()
    }))

  it('leases all data of a request, after the task is stored as running', () =>
    onTables((sql) => {
      const sealed = new Uint8Array([1, 2, 3]).buffer
      const request = { method: 'PUT', url: 'http://a.dev/b?c', headers: '{"a":"b"}', json: '{"c":1}', body: null }
      const id = put(sql, { ...request, sealed, is_sealed: 1, timeout: 5, sleep: 6, attempts: 2 })
      const rest = { task: id, parent: null, key: null, attempt: 3, started_at: 100, timeout: 5, sleep: 6, piece: null }
      expect(takeDue(sql, 100)).toEqual({ ...request, ...rest, sealed, request_id: null })
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', tries: 1, attempts: 3, started_at: 100 })
    }))

  it('knows the number of waiting tasks, and of due ones', () =>
    onTables(async (sql) => {
      expect(await new DepthCounter(sql).at(100)).toEqual({ depth: 0, due: 0, oldest_due_at: null })
      for (const due_at of [50, 100, 101]) put(sql, { due_at })
      put(sql, { state: 'running' })
      putFraction(sql, 1, 10, 5, { due_at: 70 })
      put(sql, { due_at: 60, key: 'a' })
      expect(await new DepthCounter(sql).at(100)).toEqual({ depth: 5, due: 4, oldest_due_at: new Date(50) })
    }))
})

describe('the depth of a queue', () => {
  it('is counted on each call', () =>
    onTables(async (sql) => {
      const depths = new DepthCounter(sql)
      for (const depth of [0, 1, 2]) {
        expect(await depths.at(100)).toMatchObject({ depth, due: depth })
        put(sql)
      }
    }))

  it('is known at once for a long queue, whose due tasks are counted in batches, one second later per 100,000 tasks', () =>
    onTables(async (sql) => {
      const depths = new DepthCounter(sql)
      put(sql, { due_at: 50 })
      const needed = 'kind, state, due_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at'
      for (let i = 0; i < 18; i++) sql.exec(`INSERT INTO tasks (${needed}) SELECT ${needed} FROM tasks`)
      const long = { depth: 2 ** 18, due: 2 ** 18, oldest_due_at: new Date(50) }
      let pauses = 0
      const pause = async () => void pauses++
      expect(await Promise.all([1, 2].map(() => depths.at(5_000, pause)))).toEqual([long, long])
      expect(pauses).toBe(Math.floor(2 ** 18 / 20_000))
      sql.exec('UPDATE tasks SET due_at = 10000')
      expect(await depths.at(6_999, pause)).toMatchObject({ depth: 2 ** 18, due: 2 ** 18 })
      expect(await depths.at(7_000, pause)).toEqual({ depth: 2 ** 18, due: 0, oldest_due_at: null })
    }))
})

describe('a waiting fraction', () => {
  it('leases its pieces in order, the last one cut at the end of the range', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 10, 4, { json: '{"a":1}', sleep: 9 })
      const rest = { parent: id, attempt: 1, json: '{"a":1}', sleep: 9 }
      expect(takeDue(sql, 1)).toMatchObject({ ...rest, piece: { min: 1, max: 4, gap: 4 } })
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', next: 5, attempts: 1 })
      expect(takeDue(sql, 2)).toMatchObject({ ...rest, piece: { min: 5, max: 8, gap: 4 } })
      expect(takeDue(sql, 3)).toMatchObject({ ...rest, piece: { min: 9, max: 10, gap: 4 } })
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', next: null, attempts: 3, started_at: 3 })
      expect(takeDue(sql, 4)).toBeUndefined()
    }))

  it('is one row with a cursor, whatever the size of its range', () =>
    onTables((sql) => {
      const id = putFraction(sql, -1e15, 1e15, 1)
      expect(takeDue(sql, 1)).toMatchObject({ piece: { min: -1e15, max: -1e15, gap: 1 } })
      expect(takeDue(sql, 2)).toMatchObject({ piece: { min: -1e15 + 1, max: -1e15 + 1 } })
      expect(rowOf(sql, id)).toMatchObject({ next: -1e15 + 2 })
      expect(sql.exec('SELECT id FROM tasks').toArray()).toHaveLength(3)
    }))

  it('waits behind all due tasks after each piece', () =>
    onTables((sql) => {
      putFraction(sql, 1, 3, 1)
      const [one, two] = [put(sql, { due_at: 5 }), put(sql, { due_at: 15 })]
      expect([10, 11, 20, 21, 22].map((now) => aimOf(takeDue(sql, now)!))).toEqual([[1, 1], one, [2, 2], two, [3, 3]])
    }))

  it('takes turns with another fraction', () =>
    onTables((sql) => {
      putFraction(sql, 1, 3, 1)
      putFraction(sql, 11, 13, 1)
      const taken = [1, 2, 3, 4, 5, 6].map((now) => aimOf(takeDue(sql, now)!))
      expect(taken).toEqual([1, 11, 2, 12, 3, 13].map((n) => [n, n]))
    }))

  it('starts no new piece while a thousand of its pieces wait for a retry', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 5_000, 1)
      const wait = { kind: 'piece', parent: id, min: 0, max: 0 } as const
      for (let n = 0; n < 999; n++) put(sql, { ...wait, due_at: 500 })
      expect(takeDue(sql, 100)).toMatchObject({ piece: { min: 1 } })
      put(sql, { ...wait, due_at: 400 })
      expect(takeDue(sql, 101)).toBeUndefined()
      expect(nextDue(sql, 101)).toBe(400)
      expect(takeDue(sql, 400)).toMatchObject({ parent: id, piece: { min: 0, max: 0, gap: 1 } })
      expect(takeDue(sql, 401)).toMatchObject({ piece: { min: 2 } })
    }))

  it('does not block other tasks while it starts no new piece', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 5_000, 1)
      for (let n = 0; n < 1_000; n++) put(sql, { kind: 'piece', parent: id, min: 0, max: 0, due_at: 500 })
      const task = put(sql, { due_at: 90 })
      expect(takeDue(sql, 100)).toMatchObject({ task })
    }))
})
