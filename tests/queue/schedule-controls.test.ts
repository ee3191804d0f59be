// Tests of pausing, resuming and running schedules, and of their rules for overlapping and missed runs.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { settle } from '#queue/leases'
import { migrations } from '#queue/migrations'
import { listSchedules, pauseSchedule, runSchedule, runSchedules, setSchedule } from '#queue/schedules'
import { ask } from '../support/requests.ts'
import { add, backlog, bound, fresh, onTables, place, record, takeDue, target, until } from './support.ts'

const minute = 60_000
const hour = 60 * minute

const set = (sql: SqlStorage, rules: { overlap?: 'skip' | 'queue'; catch_up?: 'none' | 'one' | 'all' }, now = 0) =>
  setSchedule(sql, { name: 'a', cron: '* * * * *', timezone: 'UTC', record, ...rules }, now)

/** Due times of the tasks of schedules. */
const dueTimes = (sql: SqlStorage) =>
  sql
    .exec<{ due_at: number }>('SELECT due_at FROM tasks WHERE schedule IS NOT NULL ORDER BY id')
    .toArray()
    .map(({ due_at }) => due_at)

const only = (sql: SqlStorage) => listSchedules(sql)[0]!

describe('overlap', () => {
  it.each([
    ['skip', 1],
    ['queue', 2],
  ] as const)('%s leads to %i tasks while the first one runs', (overlap, tasks) =>
    onTables((sql) => {
      set(sql, { overlap })
      runSchedules(sql, minute)
      takeDue(sql, minute)
      runSchedules(sql, 2 * minute)
      runSchedules(sql, 3 * minute)
      expect(dueTimes(sql)).toHaveLength(tasks)
      expect(only(sql).skipped).toBe(3 - tasks)
    }),
  )

  it('skip creates the next task when the previous one has ended', () =>
    onTables((sql) => {
      set(sql, { overlap: 'skip' })
      runSchedules(sql, minute)
      settle(sql, takeDue(sql, minute)!, { status: 200, error: null }, minute)
      runSchedules(sql, 2 * minute)
      expect(dueTimes(sql)).toEqual([minute, 2 * minute])
    }))
})

describe('catch_up', () => {
  /** Runs all due times of a schedule, as the backlog does. */
  function catchUp(sql: SqlStorage, now: number) {
    let steps = 0
    while (runSchedules(sql, now) <= now && steps < 10_000) steps++
    return dueTimes(sql)
  }

  it.each([
    ['one', [minute]],
    ['all', [1, 2, 3, 4, 5].map((n) => n * minute)],
  ] as const)('%s creates tasks for missed times', (catch_up, times) =>
    onTables((sql) => {
      set(sql, { catch_up })
      expect(catchUp(sql, 5 * minute + 30_000)).toEqual(times)
      expect(only(sql).next_at).toBe(6 * minute)
    }),
  )

  it('none creates a task only for a time of the last minute', () =>
    onTables((sql) => {
      set(sql, { catch_up: 'none' })
      expect(catchUp(sql, 5 * minute + 30_000)).toEqual([5 * minute])
      setSchedule(sql, { name: 'a', cron: '0 * * * *', timezone: 'UTC', record, catch_up: 'none' }, 6 * minute)
      expect(catchUp(sql, hour + 5 * minute)).toEqual([5 * minute])
      expect(only(sql).next_at).toBe(2 * hour)
    }))

  it('all creates tasks for at most a day', () =>
    onTables((sql) => {
      setSchedule(sql, { name: 'a', cron: '0 * * * *', timezone: 'UTC', record, catch_up: 'all' }, 0)
      expect(catchUp(sql, 100 * hour)).toEqual(Array.from({ length: 24 }, (_, n) => (77 + n) * hour))
    }))
})

describe('a paused schedule', () => {
  it('creates no tasks, and none for the time of the pause', () =>
    onTables((sql) => {
      set(sql, {})
      expect(pauseSchedule(sql, 'a', true, 1)).toMatchObject({ is_paused: 1, next_at: null })
      expect(runSchedules(sql, hour)).toBe(Number.POSITIVE_INFINITY)
      expect(pauseSchedule(sql, 'a', false, hour)).toMatchObject({ is_paused: 0, next_at: hour + minute })
      expect(pauseSchedule(sql, 'a', false, 2 * hour)).toMatchObject({ next_at: hour + minute })
      expect(dueTimes(sql)).toEqual([])
      expect(pauseSchedule(sql, 'b', true, 1)).toBeUndefined()
    }))

  it('stays paused when it is replaced, and can be run', () =>
    onTables((sql) => {
      set(sql, {})
      pauseSchedule(sql, 'a', true, 1)
      expect(set(sql, { overlap: 'skip' }, 5)).toMatchObject({ is_paused: 1, next_at: null, overlap: 'skip' })
      expect(runSchedule(sql, 'a', 7)).toMatchObject({ due_at: 7, schedule: 'a' })
      expect(runSchedule(sql, 'b', 7)).toBeUndefined()
    }))
})

it('the last run is known after the retention has deleted its task', () =>
  onTables((sql) => {
    set(sql, {})
    expect(only(sql).last_run).toBeNull()
    runSchedules(sql, minute)
    expect(JSON.parse(only(sql).last_run!)).toMatchObject({ state: 'waiting', due_at: minute, ended_at: null })
    settle(sql, takeDue(sql, minute)!, { status: 500, error: null }, minute + 5)
    const run = JSON.parse(only(sql).last_run!)
    expect(run).toEqual({
      state: 'failed',
      due_at: minute,
      started_at: minute,
      ended_at: minute + 5,
      status: 500,
      error: null,
    })
    sql.exec('DELETE FROM tasks')
    expect(JSON.parse(only(sql).last_run!)).toEqual(run)
  }))

it('schedules of an earlier version get their request and their last task', () =>
  runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
    const added = migrations.findIndex((step) => step.includes('ADD COLUMN overlap'))
    for (const step of migrations.slice(0, added)) sql.exec(step)
    const task = JSON.stringify({ method: 'PUT', url: 'http://a.dev/?b' })
    sql.exec(`INSERT INTO schedules (name, cron, timezone, next_at, task) VALUES ('a', '* * * * *', 'UTC', 5, ?)`, task)
    for (const step of migrations.slice(added)) sql.exec(step)
    expect(only(sql)).toMatchObject({
      method: 'PUT',
      url: 'http://a.dev/?b',
      next_at: 5,
      last_task: null,
      is_paused: 0,
    })
  }))

describe('the API', () => {
  const cron = '0 3 1 1 *'
  const schedules = async (worker: string) => (await ask('GET', '/schedules', { worker })).json.content

  it('shows the request, the rules, the next time in its time zone, and the last run', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    const params = { overlap: 'skip', catch_up: 'none', timezone: 'America/New_York', method: 'PUT' }
    await ask('POST', '/task', { worker, url, schedule: 'a', cron, ...params })
    const shown = { name: 'a', worker, cron, ...params, url: url.replace(/\?.*/, ''), is_paused: false, skipped: 0 }
    const next = {
      next_at: expect.stringMatching(/-01-01 08:00:00$/),
      next_local: expect.stringMatching(/-01-01T03:00:00-05:00$/),
    }
    expect(await schedules(worker)).toEqual({ schedules: [{ ...shown, ...next, last_run: null }] })

    const run = await ask('POST', '/schedule/run', { worker, name: 'a' })
    expect(run).toEqual({ status: 200, json: { status: true, content: { task: { id: `${worker}-1` } } } })
    await arrived(1)
    await until(`${worker}-1`, 'done')
    const last_run = {
      task: { id: `${worker}-1` },
      state: 'done',
      status: 200,
      error: null,
      ended_at: expect.any(String),
    }
    expect(await schedules(worker)).toMatchObject({ schedules: [{ ...next, last_run }] })
  })

  it('pauses and resumes a schedule', async () => {
    const worker = fresh()
    await ask('POST', '/task', { worker, url: target('/'), schedule: 'a', cron })
    const state = (is_paused: boolean, next_at: unknown) => ({
      status: 200,
      json: { content: { schedule: { name: 'a', is_paused, next_at } } },
    })
    expect(await ask('POST', '/schedule/pause', { worker, name: 'a' })).toMatchObject(state(true, null))
    expect(await ask('POST', '/schedule/resume', { worker, name: 'a' })).toMatchObject(state(false, expect.any(String)))
  })

  it.each(['pause', 'resume', 'run'])('replies 404 to %s for an unknown schedule', async (action) => {
    const unknown = { status: 404, json: { status_code: 'schedule_not_found' } }
    expect(await ask('POST', `/schedule/${action}`, { worker: fresh(), name: 'a' })).toMatchObject(unknown)
  })

  it.each([{ overlap: 'skip' }, { catch_up: 'all' }])('refuses %j without a schedule', async (rule) => {
    const params = { worker: fresh(), url: target('/'), ...rule }
    expect(await ask('POST', '/task', params)).toMatchObject({ status: 400 })
  })

  it('finds a schedule in each shard of a worker', async () => {
    const worker = `sharded-${crypto.randomUUID()}`
    await ask('PUT', '/worker', { name: worker, daemons: 4, shards: 4 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await ask('POST', '/task', { worker, url: target('/echo'), schedule: name, cron })
      expect(await ask('POST', '/schedule/pause', { worker, name })).toMatchObject({ status: 200 })
      const { json } = await ask('POST', '/schedule/run', { worker, name })
      const { task } = json.content as unknown as { task: { id: string } }
      await until(task.id, 'done')
    }
  })
})

it('a schedule that runs starts its task at once', async () => {
  const worker = fresh()
  const { url, arrived, release } = place({ hold: 1 })
  await ask('POST', '/task', { worker, url, schedule: 'a', cron: '0 3 1 1 *', overlap: 'skip' })
  await ask('POST', '/schedule/run', { worker, name: 'a' })
  await ask('POST', '/schedule/run', { worker, name: 'a' })
  await arrived(1)
  await release(2)
  await arrived(2)
  const other = await add({ worker, url: target('/') })
  await until(other, 'failed')
  const count = await runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM tasks').one(),
  )
  expect(count).toEqual({ n: 3 })
})
