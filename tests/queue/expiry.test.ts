// Tests of the parameter `expires`: a task that still waits at its expiry fails without a request.
import { describe, expect, it } from 'vitest'
import { endExpired } from '#queue/expiry'
import { settle } from '#queue/leases'
import { runSchedules, setSchedule } from '#queue/schedules'
import type { TaskRow } from '#queue/tables'
import { retryTask } from '#queue/task-actions'
import { ask } from '../support/requests.ts'
import {
  add,
  backlog,
  fresh,
  onTables,
  place,
  put,
  record,
  rowOf,
  show,
  stored,
  takeAll,
  takeDue,
  until,
} from './support.ts'

const sealed = new Uint8Array([1, 2, 3]).buffer
const failed = { status: 503, error: null }

describe('a task that expires', () => {
  it('is leased until it expires', () =>
    onTables((sql) => {
      const [first, second, third] = [10, 20, 30].map((expires_at) => put(sql, { expires_at }))
      expect(takeDue(sql, 9)).toMatchObject({ task: first })
      expect(takeAll(sql, 20)).toEqual([third])
      expect(rowOf(sql, second!)).toMatchObject({ state: 'failed', error: 'expired', attempts: 0, ended_at: 20 })
    }))

  it('is not leased after expiry even if it was read ahead', () =>
    onTables((sql) => {
      const [first, second] = [put(sql), put(sql, { expires_at: 10 })]
      expect(takeDue(sql, 5)).toMatchObject({ task: first })
      expect(takeDue(sql, 10)).toBeUndefined()
      expect(takeDue(sql, 11)).toBeUndefined()
      expect(rowOf(sql, second)).toMatchObject({ state: 'failed', error: 'expired' })
    }))

  it('loses its secrets', () =>
    onTables((sql) => {
      const id = put(sql, { expires_at: 10, sealed, is_sealed: 1 })
      endExpired(sql, 9)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', sealed })
      endExpired(sql, 10)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', sealed: null })
    }))

  it('is retried until it expires, and ends with its last response if the retry would be too late', () =>
    onTables((sql) => {
      const id = put(sql, { expires_at: 2_000, retries: 9, retry_delay: 1_000 })
      settle(sql, takeDue(sql, 0)!, failed, 0)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting' })
      const { due_at } = rowOf(sql, id)!
      settle(sql, takeDue(sql, due_at)!, failed, 1_999)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', status: 503, error: null, attempts: 2 })
    }))

  it('is done if its request was in flight when it expired', () =>
    onTables((sql) => {
      const id = put(sql, { expires_at: 10 })
      const lease = takeDue(sql, 9)!
      endExpired(sql, 10)
      settle(sql, lease, { status: 200, error: null }, 20)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', status: 200 })
    }))

  it('no longer expires after a retry by a caller', () =>
    onTables((sql) => {
      const id = put(sql, { expires_at: 10 })
      endExpired(sql, 10)
      retryTask(sql, id, 20)
      expect(takeDue(sql, 1_000)).toMatchObject({ task: id })
    }))

  it('can be created by a schedule, and expires the same time after it is due', () =>
    onTables((sql) => {
      setSchedule(
        sql,
        { name: 'a', cron: '* * * * *', timezone: 'UTC', record: { ...record, due_at: 500, expires_at: 5_500 } },
        0,
      )
      runSchedules(sql, 60_000)
      const [row] = sql.exec<TaskRow>('SELECT * FROM tasks').toArray()
      expect(row).toMatchObject({ due_at: 60_000, expires_at: 65_000 })
    }))

  it('returns the time of expiry, counted from the due time', async () => {
    const worker = fresh()
    await ask('POST', '/worker/pause', { worker })
    const id = await add({ worker, url: place().url, delay: 3_600, expires: 60 })
    const { due_at, expires_at } = await stored(id)
    expect(expires_at! - due_at).toBe(60_000)
    expect((await show(id)).expires_at).toBe(new Date(expires_at!).toISOString().slice(0, 19).replace('T', ' '))
  })

  it('ends while its worker is paused, without a request', async () => {
    const worker = fresh()
    const there = place()
    await ask('POST', '/worker/pause', { worker })
    const id = await add({ worker, url: there.url, expires: 1, confidential: true, json: { code: '1234' } })
    await expect
      .poll(async () => {
        await backlog(worker).wake()
        return (await stored(id)).state
      })
      .toBe('failed')
    expect(await until(id, 'failed')).toMatchObject({ error: 'expired', attempts: 0 })
    expect((await stored(id)).sealed).toBeNull()
    await ask('POST', '/worker/resume', { worker })
    expect((await there.visits()).visits).toEqual([])
  })

  it.each([0, -1, 0.5, 'soon', 315_360_001])('is rejected with expires %j', async (expires) => {
    const params = { worker: fresh(), url: place().url, expires }
    expect((await ask('POST', '/task', params)).json).toMatchObject({ errors: { expires: expect.any(String) } })
  })
})
