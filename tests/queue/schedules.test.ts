// Tests of schedules, on the tables of a backlog and through the API: when they create tasks, and how they are replaced.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { settle } from '#queue/leases'
import { deleteSchedule, listSchedules, runSchedules, setSchedule } from '#queue/schedules'
import type { TaskRow } from '#queue/tables'
import { ask } from '../support/requests.ts'
import { add, backlog, fresh, onTables, place, record, type TaskView, takeDue, until } from './support.ts'

const minute = 60_000

const set = (sql: SqlStorage, name: string, cron: string, now = 0, task = {}) =>
  setSchedule(sql, { name, cron, timezone: 'UTC', record: { ...record, ...task } }, now)

const madeBy = (sql: SqlStorage, name: string) =>
  sql.exec<TaskRow>('SELECT * FROM tasks WHERE schedule = ? ORDER BY id', name).toArray()

describe('a schedule', () => {
  it('creates its task on time, and returns the next time', () =>
    onTables((sql) => {
      expect(set(sql, 'a', '*/2 * * * *').next_at).toBe(2 * minute)
      expect(runSchedules(sql, 2 * minute - 1)).toBe(2 * minute)
      expect(madeBy(sql, 'a')).toEqual([])
      expect(runSchedules(sql, 2 * minute)).toBe(4 * minute)
      expect(madeBy(sql, 'a')).toMatchObject([
        { ...record, kind: 'task', state: 'waiting', due_at: 2 * minute, created_at: 2 * minute },
      ])
    }))

  it('creates a task for each of its times', () =>
    onTables((sql) => {
      set(sql, 'a', '* * * * *')
      for (let now = 0; now <= 5 * minute; now += minute / 4) {
        runSchedules(sql, now)
        const lease = takeDue(sql, now)
        if (lease) settle(sql, lease, { status: 200, error: null }, now)
      }
      expect(madeBy(sql, 'a').map(({ due_at }) => due_at / minute)).toEqual([1, 2, 3, 4, 5])
    }))

  it('creates one task for all missed times', () =>
    onTables((sql) => {
      set(sql, 'a', '* * * * *')
      expect(runSchedules(sql, 100.5 * minute)).toBe(101 * minute)
      expect(madeBy(sql, 'a').map(({ due_at }) => due_at)).toEqual([minute])
    }))

  it.each(['done', 'failed', 'lost', 'canceled', 'running'] as const)('continues while its last task is %s', (state) =>
    onTables((sql) => {
      set(sql, 'a', '* * * * *')
      runSchedules(sql, minute)
      sql.exec('UPDATE tasks SET state = ?', state)
      runSchedules(sql, 2 * minute)
      expect(madeBy(sql, 'a')).toHaveLength(2)
    }),
  )

  it('skips a time while its previous task waits, without affecting other schedules', () =>
    onTables((sql) => {
      for (const name of ['a', 'b']) set(sql, name, '* * * * *')
      runSchedules(sql, minute)
      sql.exec(`UPDATE tasks SET state = 'done' WHERE schedule = 'b'`)
      expect(runSchedules(sql, 2 * minute)).toBe(3 * minute)
      expect([madeBy(sql, 'a').length, madeBy(sql, 'b').length]).toEqual([1, 2])
      sql.exec(`UPDATE tasks SET state = 'done'`)
      runSchedules(sql, 3 * minute)
      expect([madeBy(sql, 'a').length, madeBy(sql, 'b').length]).toEqual([2, 3])
    }))

  it('ends when the expression has no more times', () =>
    onTables((sql) => {
      set(sql, 'a', '* * * * *')
      sql.exec(`UPDATE schedules SET cron = '0 0 30 2 *'`)
      expect(runSchedules(sql, minute)).toBe(Number.POSITIVE_INFINITY)
      expect(listSchedules(sql)).toMatchObject([{ name: 'a', next_at: null }])
      expect(madeBy(sql, 'a')).toHaveLength(1)
    }))

  it('creates its tasks with its secrets', () =>
    onTables((sql) => {
      const sealed = new Uint8Array([1, 2]).buffer
      set(sql, 'a', '* * * * *', 0, { sealed, is_sealed: 1 })
      runSchedules(sql, minute)
      expect(madeBy(sql, 'a')).toMatchObject([{ sealed, is_sealed: 1 }])
    }))

  it('replaces a schedule with the same name', () =>
    onTables((sql) => {
      set(sql, 'a', '* * * * *', 0, { url: 'http://old.dev/' })
      set(sql, 'a', '*/5 * * * *', 0, { url: 'http://new.dev/' })
      runSchedules(sql, 5 * minute)
      expect(madeBy(sql, 'a')).toMatchObject([{ url: 'http://new.dev/', due_at: 5 * minute }])
      expect(deleteSchedule(sql, 'a')).toBe(true)
      expect(deleteSchedule(sql, 'a')).toBe(false)
      expect(runSchedules(sql, 50 * minute)).toBe(Number.POSITIVE_INFINITY)
      expect(madeBy(sql, 'a')).toHaveLength(1)
    }))
})

const schedulesOf = async (worker: string) => (await ask('GET', '/schedules', { worker })).json.content

async function tasksOf(worker: string, schedule: string) {
  const { json } = await ask('GET', '/tasks', { worker, schedule })
  return (json.content as unknown as { tasks: TaskView[] }).tasks
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

describe('POST /task with cron, GET /schedules and DELETE /schedule', () => {
  it('create, list and delete a schedule', async () => {
    const worker = fresh()
    const params = { worker, url: 'http://127.0.0.1:1/', schedule: 'b', cron: '0 9 1 1 *', timezone: 'Asia/Kolkata' }
    const shown = { method: 'POST', url: params.url, overlap: 'queue', catch_up: 'one', is_paused: false, skipped: 0 }
    const next_local = expect.stringMatching(/-01-01T09:00:00\+/)
    const schedule = {
      name: 'b',
      worker,
      cron: '0 9 1 1 *',
      timezone: 'Asia/Kolkata',
      ...shown,
      next_local,
      last_run: null,
    }
    const next_at = expect.stringMatching(/-01-01 03:30:00$/)
    expect(await ask('POST', '/task', params)).toEqual({
      status: 200,
      json: { status: true, content: { schedule: { ...schedule, next_at } } },
    })
    await ask('POST', '/task', { ...params, schedule: 'a', timezone: undefined })
    const both = [
      { ...schedule, name: 'a', timezone: 'UTC', next_at: time },
      { ...schedule, next_at },
    ]
    expect(await schedulesOf(worker)).toEqual({ schedules: both })
    await ask('POST', '/task', { ...params, cron: '0 0 1 1 *' })
    expect(await schedulesOf(worker)).toMatchObject({ schedules: [{ name: 'a' }, { name: 'b', cron: '0 0 1 1 *' }] })
    expect(await ask('DELETE', '/schedule', { worker, name: 'b' })).toEqual({ status: 200, json: { status: true } })
    expect(await schedulesOf(worker)).toMatchObject({ schedules: [{ name: 'a' }] })
    expect(await tasksOf(worker, 'a')).toEqual([])
  })

  it('create a schedule that runs by itself, and list its tasks by its name', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    await ask('POST', '/task', { worker, url, schedule: 'often', cron: '* * * * * *', json: { a: 1 } })
    const [first, second] = await arrived(2)
    await ask('DELETE', '/schedule', { worker, name: 'often' })
    const made = await tasksOf(worker, 'often')
    expect(made.length).toBeGreaterThanOrEqual(2)
    expect(made.every(({ schedule }) => schedule === 'often')).toBe(true)
    const known = made.map(({ id }) => id)
    for (const { headers, body } of [first!, second!]) {
      expect(known).toContain(headers['x-task-id'])
      expect(body).toBe('{"a":1}')
    }
    expect(first!.headers['x-task-id']).not.toBe(second!.headers['x-task-id'])
  })

  it('continue after a restart of the worker, with one task for all missed times', async () => {
    const worker = fresh()
    const { url, visits, arrived } = place()
    await ask('POST', '/task', { worker, url, schedule: 'yearly', cron: '0 0 1 1 *' })
    expect((await visits()).visits).toEqual([])
    await runInDurableObject(backlog(worker), (_: Backlog, { storage }) => {
      storage.sql.exec('UPDATE schedules SET next_at = 1')
    })
    await evictDurableObject(backlog(worker))
    await runDurableObjectAlarm(backlog(worker))
    await arrived(1)
    const [task] = await tasksOf(worker, 'yearly')
    await until(task!.id, 'done')
    await add({ worker, url: place().url })
    expect(await tasksOf(worker, 'yearly')).toHaveLength(1)
    expect(await schedulesOf(worker)).toMatchObject({
      schedules: [{ next_at: expect.stringMatching(/-01-01 00:00:00$/) }],
    })
  })
})
