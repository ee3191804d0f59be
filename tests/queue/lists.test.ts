import { describe, expect, it } from 'vitest'
import type { Listed, State } from '#queue/contract'
import { forgetEnded } from '#queue/retention'
import { listRows } from '#queue/tasks'
import { onTables, put, putFraction } from './support.ts'

const all = { limit: 1_000, offset: 0, count: false }

const idsOf = (sql: SqlStorage, asked: Partial<Listed> = {}) =>
  listRows(sql, { ...all, ...asked }).rows.map(({ id }) => id)

/** Some of all there may be; the last that is put in ended first. */
function fill(sql: SqlStorage) {
  const states = ['running', 'waiting', 'done', 'failed', 'lost', 'canceled', 'waiting', 'done', 'failed'] as const
  const endedAt = (state: State, i: number) => (state === 'waiting' || state === 'running' ? null : 1_000 - i)
  const tasks = states.map((state, i) => put(sql, { state, due_at: 500 - i, ended_at: endedAt(state, i) }))
  const scheduled = [put(sql, { schedule: 'a' }), put(sql, { schedule: 'b' }), put(sql, { schedule: 'a', due_at: 900 })]
  const fractions = [putFraction(sql, 1, 9, 1), putFraction(sql, 1, 9, 1, { state: 'done', ended_at: 5 })]
  put(sql, { kind: 'piece', parent: fractions[0]!, min: 1, max: 1, state: 'failed', ended_at: 2_000 })
  put(sql, { kind: 'piece', parent: fractions[0]!, min: 2, max: 2, due_at: 1 })
  return { tasks, scheduled, fractions }
}

describe('a list', () => {
  it('has tasks and fractions without their pieces, the newest first', () =>
    onTables((sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      expect(idsOf(sql)).toEqual([...tasks, ...scheduled, ...fractions].reverse())
    }))

  it('has those that wait in the order of the line', () =>
    onTables((sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      const now = [scheduled[0], scheduled[1], fractions[0]]
      expect(idsOf(sql, { state: 'waiting' })).toEqual([...now, tasks[6], tasks[1], scheduled[2]])
    }))

  it('has those of a state that is an end the last ended first', () =>
    onTables((sql) => {
      const { tasks, fractions } = fill(sql)
      expect(idsOf(sql, { state: 'done' })).toEqual([tasks[2], tasks[7], fractions[1]])
      expect(idsOf(sql, { state: 'failed' })).toEqual([tasks[3], tasks[8]])
      expect(idsOf(sql, { state: 'lost' })).toEqual([tasks[4]])
      expect(idsOf(sql, { state: 'canceled' })).toEqual([tasks[5]])
      const same = [1, 2].map(() => put(sql, { state: 'lost', ended_at: 5_000 }))
      expect(idsOf(sql, { state: 'lost' })).toEqual([...same.reverse(), tasks[4]])
    }))

  it('has those that run the newest first', () =>
    onTables((sql) => {
      const { tasks } = fill(sql)
      const another = put(sql, { state: 'running' })
      expect(idsOf(sql, { state: 'running' })).toEqual([another, tasks[0]])
    }))

  it('is of one kind', () =>
    onTables((sql) => {
      const { tasks, scheduled, fractions } = fill(sql)
      expect(idsOf(sql, { kind: 'fraction' })).toEqual([fractions[1], fractions[0]])
      expect(idsOf(sql, { kind: 'task' })).toEqual([...tasks, ...scheduled].reverse())
      expect(idsOf(sql, { kind: 'fraction', state: 'done' })).toEqual([fractions[1]])
      expect(idsOf(sql, { kind: 'task', state: 'done' })).toEqual([tasks[2], tasks[7]])
    }))

  it('is of one schedule', () =>
    onTables((sql) => {
      const { scheduled } = fill(sql)
      expect(idsOf(sql, { schedule: 'a' })).toEqual([scheduled[2], scheduled[0]])
      expect(idsOf(sql, { schedule: 'a', state: 'waiting', kind: 'task' })).toHaveLength(2)
      expect(idsOf(sql, { schedule: 'a', state: 'done' })).toEqual([])
      expect(idsOf(sql, { schedule: 'a', kind: 'fraction' })).toEqual([])
      expect(idsOf(sql, { schedule: "a' OR 1=1 --" })).toEqual([])
    }))

  it('comes in pages, and counts all there is', () =>
    onTables((sql) => {
      fill(sql)
      for (const asked of [{}, { state: 'waiting' }, { state: 'done' }, { kind: 'task' }, { schedule: 'a' }] as const) {
        const whole = idsOf(sql, asked)
        const pages = whole.map((_, offset) => idsOf(sql, { ...asked, limit: 1, offset })[0])
        expect(pages).toEqual(whole)
        expect(idsOf(sql, { ...asked, offset: whole.length })).toEqual([])
        const counted = listRows(sql, { ...asked, limit: 1, offset: 1, count: true })
        expect(counted).toMatchObject({ rows: [{ id: whole[1] }], nb_results: whole.length })
        expect(listRows(sql, { ...asked, ...all })).not.toHaveProperty('nb_results')
      }
    }))
})

describe('what ended', () => {
  const left = (sql: SqlStorage) =>
    sql
      .exec<{ id: number }>('SELECT id FROM tasks ORDER BY id')
      .toArray()
      .map(({ id }) => id)

  it('is forgotten once it is old, and nothing else is', () =>
    onTables(async (sql) => {
      const states = ['done', 'failed', 'lost', 'canceled'] as const
      for (const state of states) put(sql, { state, ended_at: 99 })
      const recent = states.map((state) => put(sql, { state, ended_at: 100 }))
      const open = (['waiting', 'running'] as const).map((state) => put(sql, { state }))
      await forgetEnded(sql, 100)
      expect(left(sql)).toEqual([...recent, ...open])
    }))

  it('takes the pieces of a fraction with it, which stay as long as it does', () =>
    onTables(async (sql) => {
      const [old, open] = [putFraction(sql, 1, 9, 1, { state: 'failed', ended_at: 50 }), putFraction(sql, 1, 9, 1)]
      const pieces = [old, open].map((parent) =>
        put(sql, { kind: 'piece', parent, min: 1, max: 1, state: 'failed', ended_at: 10 }),
      )
      await forgetEnded(sql, 100)
      expect(left(sql)).toEqual([open, pieces[1]])
    }))

  it('is forgotten whole, however much it is', () =>
    onTables(async (sql) => {
      for (let n = 0; n < 2_500; n++) put(sql, { state: n % 2 ? 'done' : 'failed', ended_at: n })
      await forgetEnded(sql, 2_400)
      expect(left(sql)).toHaveLength(100)
    }))
})
