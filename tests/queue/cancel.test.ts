// Tests of canceling and retrying tasks and fractions, on the tables of a backlog without its durable object.
import { describe, expect, it } from 'vitest'
import { recover, settle } from '#queue/leases'
import { cancelTask, retryTask } from '#queue/task-actions'
import type { RequestOutcome } from '#queue/task-request'
import { failedPieces, findTask } from '#queue/tasks'
import { onTables, put, putFraction, rowOf, takeAll, takeDue } from './support.ts'

const done: RequestOutcome = { status: 200, error: null }
const refused: RequestOutcome = { status: 500, error: null }

const conflict = (code: string) => expect.objectContaining({ status: 409, code })
const missing = expect.objectContaining({ status: 404, code: 'task_not_found' })
const ended = ['done', 'failed', 'lost', 'canceled'] as const

describe('canceling', () => {
  it('cancels a waiting task', () =>
    onTables((sql) => {
      const id = put(sql, { sealed: new ArrayBuffer(1), json: '{}' })
      cancelTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', ended_at: 5, sealed: null })
      expect(takeDue(sql, 9)).toBeUndefined()
    }))

  it('lets a request in flight end', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 9 })
      const lease = takeDue(sql, 1)!
      cancelTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', ended_at: null })
      settle(sql, lease, refused, 7)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', status: 500, ended_at: 7 })
    }))

  it('cancels a task that waits for a retry', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 9 })
      settle(sql, takeDue(sql, 1)!, refused, 2)
      cancelTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', attempts: 1, ended_at: 5 })
    }))

  it('removes the remaining pieces of a fraction, also those that wait for a retry', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 9, 1, { retries: 9, retry_delay: 0 })
      const [waits, runs] = [takeDue(sql, 1)!, takeDue(sql, 2)!]
      settle(sql, waits, refused, 3)
      cancelTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', ended_at: 5, failed: 1, next: 3 })
      expect(rowOf(sql, waits.task)).toMatchObject({ state: 'failed', ended_at: 5 })
      expect(takeDue(sql, 1_000_000)).toBeUndefined()
      settle(sql, runs, done, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', ended_at: 5, done: 1, failed: 1 })
    }))

  it('is idempotent', () =>
    onTables((sql) => {
      const id = put(sql)
      cancelTask(sql, id, 5)
      cancelTask(sql, id, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', ended_at: 5 })
    }))

  it.each(['done', 'failed', 'lost'] as const)('is refused for a task that is %s', (state) =>
    onTables((sql) => {
      const id = put(sql, { state, ended_at: 1 })
      expect(() => cancelTask(sql, id, 5)).toThrowError(conflict('task_ended'))
      expect(rowOf(sql, id)).toMatchObject({ state, ended_at: 1 })
    }),
  )
})

describe('retrying', () => {
  it.each(['failed', 'lost', 'canceled'] as const)(
    'makes a task that is %s wait again, with its full number of retries',
    (state) =>
      onTables((sql) => {
        const row = { json: '{}', tries: 3, attempts: 3, retries: 2, retry_delay: 0, is_canceled: 1 }
        const id = put(sql, { state, ended_at: 1, ...row })
        retryTask(sql, id, 50)
        expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', due_at: 50, ended_at: null, tries: 0, attempts: 3 })
        expect(takeDue(sql, 49)).toBeUndefined()
        const lease = takeDue(sql, 50)!
        expect(lease).toMatchObject({ task: id, attempt: 4, json: '{}' })
        settle(sql, lease, refused, 51)
        expect(rowOf(sql, id)).toMatchObject({ state: 'waiting' })
      }),
  )

  it.each(['waiting', 'running', 'done'] as const)('is refused for a task that is %s', (state) =>
    onTables((sql) => {
      const id = put(sql, { state })
      expect(() => retryTask(sql, id, 5)).toThrowError(conflict('task_not_repeatable'))
      expect(rowOf(sql, id)).toMatchObject({ state, due_at: 0 })
    }),
  )

  it.each(ended.slice(1))('is refused for a task that had secrets and is %s', (state) =>
    onTables((sql) => {
      const id = put(sql, { state, ended_at: 1, is_sealed: 1 })
      expect(() => retryTask(sql, id, 5)).toThrowError(conflict('task_not_repeatable'))
      expect(rowOf(sql, id)).toMatchObject({ state, ended_at: 1 })
    }),
  )

  it('sends only the failed and lost pieces of a fraction again', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 4, 1)
      const leases = takeAll(sql, 1, (lease) => lease)
      settle(sql, leases[0]!, done, 2)
      settle(sql, leases[1]!, refused, 2)
      settle(sql, leases[2]!, done, 2)
      recover(sql, 3)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', done: 2, failed: 1, lost: 1 })
      retryTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', done: 2, failed: 0, lost: 0, ended_at: null })
      const again = takeAll(sql, 5, (lease) => lease)
      expect(again.map(({ piece, json }) => [piece!.min, json])).toEqual([
        [2, '{}'],
        [4, '{}'],
      ])
      for (const lease of again) settle(sql, lease, done, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', done: 4, failed: 0, lost: 0, ended_at: 6 })
    }))

  it('continues a canceled fraction where it stopped', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 4, 1, { retries: 1 })
      settle(sql, takeDue(sql, 1)!, refused, 2)
      settle(sql, takeDue(sql, 2)!, done, 3)
      cancelTask(sql, id, 4)
      retryTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', next: 3, done: 1, failed: 0 })
      for (const lease of takeAll(sql, 6, (lease) => lease)) settle(sql, lease, done, 7)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', done: 4, failed: 0 })
    }))

  it('ends a fraction that was canceled during its last request', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1)
      const leases = takeAll(sql, 1, (lease) => lease)
      cancelTask(sql, id, 4)
      for (const lease of leases) settle(sql, lease, done, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', done: 2 })
      retryTask(sql, id, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', done: 2, ended_at: 6 })
    }))

  it('keeps the count of failed pieces whose rows are not kept', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 3, 1)
      const leases = takeAll(sql, 1, (lease) => lease)
      settle(sql, leases[0]!, refused, 2)
      sql.exec('UPDATE tasks SET failed = 10000 WHERE id = ?', id)
      settle(sql, leases[1]!, refused, 2)
      settle(sql, leases[2]!, done, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', failed: 10_001 })
      retryTask(sql, id, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', failed: 10_000 })
      const again = takeAll(sql, 5, (lease) => lease)
      expect(again.map(({ piece }) => piece!.min)).toEqual([1])
      settle(sql, again[0]!, done, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', done: 2, failed: 10_000, ended_at: 6 })
    }))
})

describe('a task number', () => {
  it.each([findTask, cancelTask, retryTask])('is not found if it belongs to a piece, or to no task', (verb) =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1)
      const { task } = takeDue(sql, 1)!
      expect(task).not.toBe(id)
      expect(() => verb(sql, task, 5)).toThrowError(missing)
      expect(() => verb(sql, 9_999, 5)).toThrowError(missing)
    }),
  )
})

describe('the pieces that failed or were lost', () => {
  it('are listed by state and range, at most a thousand', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 5_000, 1)
      const piece = (state: 'failed' | 'lost' | 'waiting', min: number) =>
        put(sql, { kind: 'piece', parent: id, state, min, max: min })
      for (const min of [3, 1]) piece('failed', min)
      for (const min of [4, 2]) piece('lost', min)
      piece('waiting', 5)
      const listed = failedPieces(sql, id).map(({ state, min }) => [state, min])
      expect(listed).toEqual([
        ['lost', 2],
        ['lost', 4],
        ['failed', 1],
        ['failed', 3],
      ])
      for (let min = 10; min < 1_010; min++) piece('failed', min)
      expect(failedPieces(sql, id)).toHaveLength(1_000)
    }))
})
