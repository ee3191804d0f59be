// Tests of `on_success` and `on_failure`: exactly one callback for each end of a task.
import { abortAllDurableObjects } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { endExpired } from '#queue/expiry'
import { recover, settle } from '#queue/leases'
import { cancelTask, retryTask } from '#queue/task-actions'
import { ask } from '../support/requests.ts'
import { add, fresh, onTables, place, put, putFraction, show, takeDue, target, until } from './support.ts'

const calls = { on_success: 'http://good.dev/?a=1', on_failure: 'http://bad.dev/' }

/** The stored callbacks: the URL of each, and the task that it reports. */
const callbacksOf = (sql: SqlStorage) =>
  sql
    .exec<{ url: string; json: string; retries: number; on_success: string | null; on_failure: string | null }>(
      `SELECT url, json, retries, on_success, on_failure FROM tasks WHERE key LIKE 'callback %' ORDER BY id`,
    )
    .toArray()
    .map(({ url, json, ...rest }) => ({ url, ...rest, ...(JSON.parse(json) as { task: object }) }))

describe('a callback', () => {
  it('reports the success of a task', async () => {
    const { url, arrived } = place()
    const worker = fresh()
    const id = await add({ worker, url: target('/echo'), key: 'k', labels: ['a'], on_success: url, on_failure: url })
    const [visit] = await arrived(1)
    expect(visit).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    const task = { id, worker, key: 'k', labels: ['a'], state: 'done', attempts: 1, status: 200, error: null }
    expect(JSON.parse(visit!.body)).toEqual({ task })
    expect(await show(`${worker}-2`)).toMatchObject({ retries: 10, on_success: null, on_failure: null })
  })

  it('reports a failure, and the end of a canceled task', async () => {
    const { url, arrived } = place()
    const failed = await add({
      worker: fresh(),
      url: target('/empty?status=404'),
      on_failure: url,
      on_success: target('/'),
    })
    expect(JSON.parse((await arrived(1))[0]!.body)).toMatchObject({
      task: { id: failed, state: 'failed', status: 404 },
    })
    const canceled = await add({ worker: fresh(), url: target('/'), delay: 100, on_failure: url })
    await ask('DELETE', '/task', { id: canceled })
    expect(JSON.parse((await arrived(2))[1]!.body)).toMatchObject({ task: { id: canceled, state: 'canceled' } })
  })

  it('reports a task that was lost in a crash, once', async () => {
    const callback = place()
    const { url, arrived } = place({ hold: 1 })
    const id = await add({ worker: fresh('two'), url, on_failure: callback.url, on_success: callback.url, timeout: 1 })
    await arrived(1)
    await abortAllDurableObjects()
    await until(id, 'lost')
    expect(JSON.parse((await callback.arrived(1))[0]!.body)).toMatchObject({
      task: { id, state: 'lost', error: 'lost' },
    })
    await abortAllDurableObjects()
    await until(id, 'lost')
    expect((await callback.visits()).visits).toHaveLength(1)
  })

  it.each(['on_success', 'on_failure'])('is refused if %s is no allowed URL', async (name) => {
    for (const url of ['ftp://a.dev/', 'x', ''])
      expect(await ask('POST', '/task', { worker: fresh(), url: target('/'), [name]: url })).toMatchObject({
        status: 400,
        json: { errors: { [name]: expect.any(String) } },
      })
  })

  it('is shown without its query', async () => {
    const id = await add({ worker: fresh(), url: target('/'), delay: 9, ...calls })
    expect(await show(id)).toMatchObject({ on_success: 'http://good.dev/', on_failure: 'http://bad.dev/' })
  })
})

describe('exactly one callback', () => {
  const end = { retries: 10, on_success: null, on_failure: null }

  it('is added with each end of a task, retries not included', () =>
    onTables((sql) => {
      const id = put(sql, { ...calls, retries: 1, retry_delay: 0 })
      settle(sql, takeDue(sql, 1)!, { status: 500, error: null }, 1)
      expect(callbacksOf(sql)).toEqual([])
      settle(sql, takeDue(sql, 2)!, { status: 500, error: null }, 2)
      const failed = expect.objectContaining({ state: 'failed', attempts: 2 })
      expect(callbacksOf(sql)).toEqual([{ url: calls.on_failure, ...end, task: failed }])
      sql.exec(`DELETE FROM tasks WHERE id > ?`, id)
      retryTask(sql, id, 3)
      settle(sql, takeDue(sql, 3)!, { status: 200, error: null }, 3)
      expect(callbacksOf(sql)).toMatchObject([{ url: calls.on_success, task: { state: 'done', attempts: 3 } }])
    }))

  it('is added for expired, canceled and lost tasks', () =>
    onTables((sql) => {
      put(sql, { ...calls, expires_at: 5, due_at: 9 })
      endExpired(sql, 6)
      cancelTask(sql, put(sql, { ...calls, due_at: 9 }), 6)
      cancelTask(sql, put(sql, { ...calls, state: 'canceled', ended_at: 1 }), 6)
      put(sql, { ...calls, state: 'running', attempts: 1, tries: 1, started_at: 1 })
      recover(sql, 7)
      expect(callbacksOf(sql).map(({ task }) => task)).toMatchObject([
        { state: 'failed', error: 'expired' },
        { state: 'canceled' },
        { state: 'lost' },
      ])
    }))

  it('is added for a fraction, and none for its pieces', () =>
    onTables((sql) => {
      putFraction(sql, 1, 3, 1, calls)
      for (const status of [200, 500, 200]) settle(sql, takeDue(sql, 1)!, { status, error: null }, 1)
      expect(callbacksOf(sql)).toMatchObject([{ url: calls.on_failure, task: { state: 'failed', attempts: 3 } }])
      const canceled = putFraction(sql, 1, 3, 1, { ...calls, due_at: 9 })
      cancelTask(sql, canceled, 2)
      expect(callbacksOf(sql)).toHaveLength(2)
    }))
})
