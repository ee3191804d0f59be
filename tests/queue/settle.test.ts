// Tests of the result of a request: the state and the retry of its task, on the tables of a backlog.
import { describe, expect, it } from 'vitest'
import { recover, settle } from '#queue/leases'
import type { RequestOutcome } from '#queue/task-request'
import { onTables, put, putFraction, rowOf, takeAll, takeDue } from './support.ts'

const done: RequestOutcome = { status: 204, error: null }
const refused: RequestOutcome = { status: 500, error: null }
const unreachable: RequestOutcome = { status: null, error: 'unreachable' }
const lost: RequestOutcome = { status: null, error: 'lost' }

const content = { headers: '{}', json: '{}', sealed: new ArrayBuffer(1) }

describe('a task with a response', () => {
  it.each([200, 201, 204, 299])('of status %i is done, and its payload is deleted', (status) =>
    onTables((sql) => {
      const id = put(sql, content)
      settle(sql, takeDue(sql, 1)!, { status, error: null }, 5)
      const gone = { headers: null, json: null, body: null, sealed: null }
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', status, error: null, ended_at: 5, attempts: 1, ...gone })
    }),
  )

  it.each([100, 199, 300, 304, 400, 404, 429, 500, 599])('of status %i has failed, and can be retried', (status) =>
    onTables((sql) => {
      const id = put(sql, content)
      settle(sql, takeDue(sql, 1)!, { status, error: null }, 5)
      const kept = { headers: '{}', json: '{}', sealed: null }
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', status, error: null, ended_at: 5, ...kept })
    }),
  )

  it.each([
    'unreachable',
    'interrupted',
    'redirected',
    'timeout',
    'refused',
    'query_too_long',
    'unreadable',
    'moved',
  ] as const)('that is missing (%s) has failed', (error) =>
    onTables((sql) => {
      const id = put(sql)
      settle(sql, takeDue(sql, 1)!, { status: null, error }, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', status: null, error, ended_at: 5 })
    }),
  )
})

describe('a task with retries', () => {
  it('waits again after each failure, until no retry is left', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 2, retry_delay: 1_000, ...content })
      settle(sql, takeDue(sql, 1)!, refused, 10)
      const first = rowOf(sql, id)!
      expect(first).toMatchObject({ state: 'waiting', status: 500, ended_at: null, sealed: content.sealed })
      expect(first.due_at - 10).toBeGreaterThanOrEqual(500)
      expect(first.due_at - 10).toBeLessThanOrEqual(1_000)
      settle(sql, takeDue(sql, first.due_at)!, unreachable, 10)
      const second = rowOf(sql, id)!
      expect(second).toMatchObject({ state: 'waiting', status: null, error: 'unreachable', attempts: 2 })
      expect(second.due_at - 10).toBeGreaterThanOrEqual(1_000)
      settle(sql, takeDue(sql, second.due_at)!, refused, 20)
      const last = { state: 'failed', status: 500, error: null, attempts: 3, ended_at: 20, sealed: null }
      expect(rowOf(sql, id)).toMatchObject(last)
    }))

  it('is done as soon as it succeeds, and its error is cleared', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 5, retry_delay: 0 })
      settle(sql, takeDue(sql, 1)!, unreachable, 2)
      settle(sql, takeDue(sql, 3)!, done, 4)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', status: 204, error: null, attempts: 2 })
    }))

  it('waits for the time of Retry-After if that is longer', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 2, retry_delay: 1_000 })
      settle(sql, takeDue(sql, 1)!, { ...refused, retryAfterMs: 60_000 }, 10)
      expect(rowOf(sql, id)!.due_at).toBe(60_010)
      settle(sql, takeDue(sql, 60_010)!, { ...refused, retryAfterMs: 1 }, 60_010)
      expect(rowOf(sql, id)!.due_at).toBeGreaterThanOrEqual(61_010)
    }))

  it('is not retried after it is canceled', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 5 })
      const lease = takeDue(sql, 1)!
      sql.exec('UPDATE tasks SET is_canceled = 1 WHERE id = ?', id)
      settle(sql, lease, refused, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', status: 500, ended_at: 2 })
    }))

  it('is done if its request in flight succeeds after it is canceled', () =>
    onTables((sql) => {
      const id = put(sql)
      const lease = takeDue(sql, 1)!
      sql.exec('UPDATE tasks SET is_canceled = 1 WHERE id = ?', id)
      settle(sql, lease, done, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', status: 204 })
    }))
})

describe('a piece', () => {
  it('that is done leaves only a count', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1)
      settle(sql, takeDue(sql, 1)!, done, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', done: 1 })
      expect(sql.exec('SELECT id FROM tasks').toArray()).toEqual([{ id }])
    }))

  it('that fails is kept and counted', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1)
      const lease = takeDue(sql, 1)!
      settle(sql, lease, refused, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', done: 0, failed: 1 })
      expect(rowOf(sql, lease.task)).toMatchObject({ state: 'failed', status: 500, ended_at: 2, min: 1, max: 1 })
    }))

  it('is retried like a task, with the same range', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 1, 1, { retries: 1, retry_delay: 0 })
      const lease = takeDue(sql, 1)!
      settle(sql, lease, refused, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', failed: 0 })
      const again = takeDue(sql, 3)!
      expect(again).toMatchObject({ task: lease.task, attempt: 2, piece: lease.piece, json: '{}' })
      settle(sql, again, done, 4)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', done: 1, failed: 0, ended_at: 4 })
    }))

  it('is not retried after its fraction is canceled', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 5, 1, { retries: 9 })
      const lease = takeDue(sql, 1)!
      sql.exec(`UPDATE tasks SET state = 'canceled', ended_at = 2 WHERE id = ?`, id)
      settle(sql, lease, refused, 3)
      expect(rowOf(sql, lease.task)).toMatchObject({ state: 'failed' })
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', failed: 1, ended_at: 2 })
    }))

  it('is ignored if its fraction was deleted', () =>
    onTables((sql) => {
      putFraction(sql, 1, 1, 1)
      const lease = takeDue(sql, 1)!
      sql.exec('DELETE FROM tasks')
      for (const outcome of [done, refused, lost]) settle(sql, lease, outcome, 2)
      expect(sql.exec('SELECT id FROM tasks').toArray()).toEqual([])
    }))

  it('is counted, but not stored, after ten thousand failed pieces', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 4, 1)
      sql.exec('UPDATE tasks SET failed = 9999 WHERE id = ?', id)
      const leases = takeAll(sql, 1, (lease) => lease)
      settle(sql, leases[0]!, refused, 2)
      settle(sql, leases[1]!, refused, 2)
      settle(sql, leases[2]!, lost, 2)
      expect(rowOf(sql, id)).toMatchObject({ failed: 10_001, lost: 1 })
      expect(leases.slice(0, 3).map(({ task }) => rowOf(sql, task)?.state)).toEqual(['failed', undefined, 'lost'])
    }))
})

describe('a fraction', () => {
  it('ends with its last piece', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 3, 1, { headers: '{}' })
      const leases = takeAll(sql, 1, (lease) => lease)
      expect(leases).toHaveLength(3)
      for (const lease of [leases[2]!, leases[0]!]) settle(sql, lease, done, 5)
      expect(rowOf(sql, id)).toMatchObject({ state: 'running', done: 2, ended_at: null, json: '{}' })
      settle(sql, leases[1]!, done, 6)
      expect(rowOf(sql, id)).toMatchObject({ state: 'done', done: 3, ended_at: 6, json: null, headers: null })
    }))

  it.each([
    [refused, { failed: 1, lost: 0 }],
    [lost, { failed: 0, lost: 1 }],
  ])('has failed if one of its pieces failed: %j', (outcome, counts) =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1, content)
      const [first, second] = takeAll(sql, 1, (lease) => lease)
      settle(sql, first!, outcome, 5)
      settle(sql, second!, done, 6)
      const kept = { json: '{}', headers: '{}', sealed: null }
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', done: 1, ...counts, ended_at: 6, ...kept })
    }),
  )
})

describe('a request that was running when the process ended', () => {
  it('is lost if the task has no retries', () =>
    onTables((sql) => {
      const [running, waiting] = [put(sql, content), put(sql)]
      takeDue(sql, 1)
      recover(sql, 9)
      const outcome = { state: 'lost', error: 'lost', status: null, attempts: 1, ended_at: 9, sealed: null }
      expect(rowOf(sql, running)).toMatchObject(outcome)
      expect(rowOf(sql, waiting)).toMatchObject({ state: 'waiting', attempts: 0 })
    }))

  it('waits again if retries are left, and is lost after its last attempt', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 1, retry_delay: 0 })
      takeDue(sql, 1)
      recover(sql, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', error: 'lost', tries: 1 })
      takeDue(sql, 3)
      recover(sql, 4)
      expect(rowOf(sql, id)).toMatchObject({ state: 'lost', attempts: 2 })
    }))

  it('is canceled if its task was canceled', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 9, state: 'running', is_canceled: 1 })
      recover(sql, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'canceled', error: 'lost', ended_at: 2 })
    }))

  it('of a fraction is a piece, after which the fraction continues', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 3, 1)
      const lease = takeDue(sql, 1)!
      recover(sql, 2)
      expect(rowOf(sql, lease.task)).toMatchObject({ state: 'lost', min: 1, max: 1 })
      expect(rowOf(sql, id)).toMatchObject({ state: 'waiting', lost: 1, next: 2 })
      expect(takeAll(sql, 3)).toEqual([
        [2, 2],
        [3, 3],
      ])
    }))

  it('ends its fraction if it was the last one', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 2, 1)
      takeAll(sql, 1)
      recover(sql, 2)
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', lost: 2, ended_at: 2 })
    }))

  it('does not exist, and no row changes', () =>
    onTables((sql) => {
      const ids = [put(sql), put(sql, { state: 'done', ended_at: 1 })]
      const before = ids.map((id) => rowOf(sql, id))
      recover(sql, 9)
      expect(ids.map((id) => rowOf(sql, id))).toEqual(before)
    }))
})
