// Tests of the calls on many tasks: creating them at once, and operations on all that match a filter.
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { addOperation, findOperation, nextOperation, stepOperation } from '#queue/bulk-operations'
import { ask } from '../support/requests.ts'
import {
  add,
  backlog,
  fresh,
  onTables,
  place,
  pollOptions,
  put,
  putFraction,
  rowOf,
  show,
  target,
  until,
} from './support.ts'

const url = target('/')

interface Operation {
  id: string
  state: string
  matched: number
  done: number
}

async function operation(id: string): Promise<Operation> {
  const { json } = await ask('GET', '/operation', { id })
  return (json.content as unknown as { operation: Operation }).operation
}

/** Begins an operation and waits for its end. */
async function run(action: string, params: Record<string, unknown>): Promise<Operation> {
  const { status, json } = await ask('POST', `/tasks/${action}`, params)
  expect([status, json]).toEqual([202, { status: true, content: { operation: { id: expect.any(String) } } }])
  const { id } = (json.content as unknown as { operation: Operation }).operation
  await expect.poll(async () => (await operation(id)).state, pollOptions).toBe('done')
  return operation(id)
}

const statesOf = async (worker: string) => {
  const { json } = await ask('GET', '/tasks', { worker, limit: 1_000 })
  const { tasks } = json.content as unknown as { tasks: { id: string; state: string }[] }
  return tasks.map(({ state }) => state).sort()
}

/** Stores tasks without the daemons: they wait for an hour. */
const stored = (worker: string, ...columns: Parameters<typeof put>[1][]) =>
  runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    columns.map((columns) => put(storage.sql, { due_at: Date.now() + 3_600_000, url, ...columns })),
  )

describe('POST /tasks', () => {
  it('creates tasks in order, whose ids it returns', async () => {
    const worker = fresh()
    const { url, arrived, order } = place()
    const tasks = Array.from({ length: 1_000 }, (_, n) => ({ url, json: { n }, delay: n < 3 ? 0 : 3_600 }))
    const { status, json } = await ask('POST', '/tasks', { worker, tasks })
    const ids = Array.from({ length: 1_000 }, (_, n) => ({ id: `${worker}-${n + 1}` }))
    expect([status, json.content]).toEqual([200, { tasks: ids }])
    await arrived(3)
    expect(await order()).toEqual([0, 1, 2])
  })

  it('takes the worker from the tasks', async () => {
    const worker = fresh()
    const tasks = [
      { worker, url, delay: 9 },
      { worker, url, delay: 9, labels: ['a'], confidential: true, body: 'x' },
    ]
    expect(await ask('POST', '/tasks', { tasks })).toMatchObject({ status: 200 })
    expect(await show(`${worker}-2`)).toMatchObject({ labels: ['a'] })
  })

  it.each([
    ['tasks', { tasks: [] }],
    ['tasks', { tasks: Array.from({ length: 1_001 }, () => ({ url })) }],
    ['tasks.1.url', { tasks: [{ url }, { url: 'ftp://a.dev/' }] }],
    ['tasks.1.body', { tasks: [{ url }, { url, json: {}, body: 'a' }] }],
    ['tasks.1.worker', { tasks: [{ url }, { url, worker: 'default' }] }],
    ['tasks.0.cron', { tasks: [{ url, cron: '* * * * *', schedule: 'a' }] }],
    ['tasks.0.ulr', { tasks: [{ ulr: url }] }],
  ])('creates none if %s is invalid', async (name, params) => {
    const worker = fresh()
    const { status, json } = await ask('POST', '/tasks', { worker, ...params })
    expect([status, Object.keys(json.errors ?? {})]).toEqual([400, expect.arrayContaining([name])])
    expect(await statesOf(worker)).toEqual([])
  })

  it('needs a worker', async () => {
    expect(await ask('POST', '/tasks', { tasks: [{ url }] })).toMatchObject({ status: 400 })
  })

  it('creates them once for an idempotency key, also after a crash', async () => {
    const worker = fresh()
    const tasks = [
      { url, delay: 9 },
      { url, delay: 9 },
    ]
    const init = {
      method: 'POST',
      headers: { 'idempotency-key': worker },
      body: JSON.stringify({ worker, tasks }),
    }
    const call = async () => (await exports.default.fetch('http://queue/tasks', init)).json()
    const first = await call()
    await abortAllDurableObjects()
    expect(await call()).toEqual(first)
    expect(await statesOf(worker)).toHaveLength(2)
  })
})

describe('a worker with shards', () => {
  const sharded = async () => {
    const name = `sharded-${crypto.randomUUID()}`
    expect(await ask('PUT', '/worker', { name, daemons: 4, shards: 4 })).toMatchObject({ status: 200 })
    return name
  }

  it('creates many tasks with the same key, or none', async () => {
    const worker = await sharded()
    const tasks = (keys: (string | undefined)[]) => keys.map((key) => ({ url, delay: 9, ...(key && { key }) }))
    for (const keys of [
      ['a', 'a'],
      [undefined, undefined],
    ])
      expect(await ask('POST', '/tasks', { worker, tasks: tasks(keys) })).toMatchObject({ status: 200 })
    expect(await ask('POST', '/tasks', { worker, tasks: tasks(['a', 'b']) })).toMatchObject({ status: 400 })
    expect(await statesOf(worker)).toHaveLength(4)
  })

  it('runs an operation in all shards', async () => {
    const worker = await sharded()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await add({ worker, url, key, delay: 9 })
    const dry = await ask('POST', '/tasks/cancel', { worker, dry_run: true })
    expect(dry.json).toMatchObject({ content: { count: 6 } })
    expect(await run('cancel', { worker })).toMatchObject({ matched: 6, done: 6 })
    expect(new Set(await statesOf(worker))).toEqual(new Set(['canceled']))
  })
})

describe('an operation', () => {
  it('retries the failed, lost and canceled tasks that match', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    const ended = { ended_at: 1, url, due_at: 0 }
    await stored(worker, { ...ended, state: 'failed', labels: '["a"]' }, { ...ended, state: 'lost', labels: '["a"]' })
    await stored(worker, { ...ended, state: 'failed' }, { ...ended, state: 'done', labels: '["a"]' })
    expect(await run('retry', { worker, label: 'a' })).toMatchObject({ matched: 2, done: 2 })
    await arrived(2)
    await until(`${worker}-2`, 'done')
    expect(await statesOf(worker)).toEqual(['done', 'done', 'done', 'failed'])
  })

  it('changes no tasks with secrets', async () => {
    const worker = fresh()
    await stored(worker, { state: 'failed', ended_at: 1, is_sealed: 1 })
    expect(await run('retry', { worker })).toMatchObject({ matched: 1, done: 0 })
    expect(await statesOf(worker)).toEqual(['failed'])
  })

  it('cancels waiting and running tasks', async () => {
    const worker = fresh()
    const { url, arrived, release } = place({ hold: 1, statuses: '500' })
    const running = await add({ worker, url, retries: 5 })
    await arrived(1)
    await stored(worker, ...Array.from({ length: 250 }, () => ({})))
    expect(await run('cancel', { worker })).toMatchObject({ matched: 251, done: 251 })
    await release()
    await until(running, 'canceled')
    expect(new Set(await statesOf(worker))).toEqual(new Set(['canceled']))
  })

  it('deletes ended tasks, and no others', async () => {
    const worker = fresh()
    const states = ['done', 'failed', 'lost', 'canceled'] as const
    await stored(worker, {}, ...states.map((state) => ({ state, ended_at: 1 })))
    expect(await run('delete', { worker })).toMatchObject({ matched: 4, done: 4 })
    expect(await statesOf(worker)).toEqual(['waiting'])
  })

  it.each([
    ['state', { state: 'failed' }, [1, 2, 3]],
    ['key', { key: 'k' }, [2]],
    ['from', { from: '2020-01-01' }, [3, 4]],
    ['to', { to: '2020-01-01' }, [1, 2]],
    ['both times', { from: '2019-12-31', to: '2020-01-01 00:00:01' }, [3]],
  ])('selects tasks by %s', async (_, filter, numbers) => {
    const worker = fresh()
    const ended = { state: 'failed', ended_at: 1 } as const
    const at = Date.UTC(2020, 0, 1)
    await stored(
      worker,
      ended,
      { ...ended, key: 'k' },
      { ...ended, created_at: at },
      { state: 'done', ended_at: 1, created_at: at + 86_400_000 },
    )
    const dry = await ask('POST', '/tasks/delete', { worker, ...filter, dry_run: true })
    expect(dry).toEqual({ status: 200, json: { status: true, content: { count: numbers.length } } })
    expect(await statesOf(worker)).toHaveLength(4)
    expect(await run('delete', { worker, ...filter })).toMatchObject({ done: numbers.length })
    for (const n of numbers) expect(await ask('GET', '/task', { id: `${worker}-${n}` })).toMatchObject({ status: 404 })
    expect(await statesOf(worker)).toHaveLength(4 - numbers.length)
  })

  it.each([
    ['retry', { state: 'done' }, 'state'],
    ['cancel', { state: 'failed' }, 'state'],
    ['delete', { state: 'waiting' }, 'state'],
    ['delete', { label: null }, 'label'],
    ['delete', { state: null }, 'state'],
    ['cancel', { key: '' }, 'key'],
    ['retry', { worker: 'nobody' }, 'worker'],
  ])('%s is refused with %j', async (action, params, name) => {
    const refusal = { status: 400, json: { errors: { [name]: expect.any(String) } } }
    expect(await ask('POST', `/tasks/${action}`, { worker: fresh(), ...params })).toMatchObject(refusal)
  })

  it('is unknown under another id', async () => {
    const unknown = { status: 404, json: { status_code: 'operation_not_found' } }
    for (const id of ['default-1', `nobody-op-${crypto.randomUUID()}`, `${fresh()}-op-${crypto.randomUUID()}`])
      expect(await ask('GET', '/operation', { id })).toMatchObject(unknown)
  })

  it('continues after a crash', async () => {
    const worker = fresh()
    await stored(worker, ...Array.from({ length: 500 }, () => ({ state: 'failed', ended_at: 1 }) as const))
    const { json } = await ask('POST', '/tasks/delete', { worker })
    await abortAllDurableObjects()
    const { id } = (json.content as unknown as { operation: Operation }).operation
    await expect.poll(async () => (await operation(id)).state, pollOptions).toBe('done')
    expect(await operation(id)).toMatchObject({ matched: 500, done: 500 })
  })
})

describe('the steps of an operation', () => {
  /** Runs all steps and returns the number of them. */
  function finish(sql: SqlStorage) {
    let steps = 0
    for (let next = nextOperation(sql); next; next = nextOperation(sql), steps++)
      stepOperation(sql, next, 10, () => undefined)
    return steps
  }

  it('change at most 100 tasks each', () =>
    onTables((sql) => {
      for (let n = 0; n < 250; n++) put(sql, { due_at: n })
      addOperation(sql, { name: 'a', action: 'cancel', filter: { state: 'waiting' } }, 1)
      const next = nextOperation(sql)!
      stepOperation(sql, next, 10, () => undefined)
      expect(findOperation(sql, 'a')).toMatchObject({ state: 'running', matched: 100, done: 100 })
      finish(sql)
      expect(findOperation(sql, 'a')).toMatchObject({ state: 'done', matched: 250, done: 250, ended_at: 10 })
    }))

  it('find no task that was created after the operation', () =>
    onTables((sql) => {
      const old = put(sql)
      addOperation(sql, { name: crypto.randomUUID(), action: 'cancel', filter: {} }, 1)
      const later = put(sql)
      finish(sql)
      expect([rowOf(sql, old), rowOf(sql, later)]).toMatchObject([{ state: 'canceled' }, { state: 'waiting' }])
    }))

  it('retry no task twice that fails again meanwhile', () =>
    onTables((sql) => {
      const ids = Array.from({ length: 150 }, () => put(sql, { state: 'failed', ended_at: 1 }))
      addOperation(sql, { name: crypto.randomUUID(), action: 'retry', filter: {} }, 1)
      const failAgain = () => sql.exec(`UPDATE tasks SET state = 'failed', ended_at = 99 WHERE state = 'waiting'`)
      let retried = 0
      for (let next = nextOperation(sql); next; next = nextOperation(sql)) {
        stepOperation(sql, next, 10, () => retried++)
        failAgain()
      }
      expect(retried).toBe(ids.length)
    }))

  it('delete the pieces of a fraction with it', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 9, 1, { state: 'failed', ended_at: 1 })
      put(sql, { kind: 'piece', parent: id, min: 1, max: 1, state: 'failed', ended_at: 1 })
      addOperation(sql, { name: crypto.randomUUID(), action: 'delete', filter: { state: 'failed' } }, 1)
      finish(sql)
      expect(sql.exec('SELECT fraction FROM removals').toArray()).toEqual([{ fraction: id }])
      expect(rowOf(sql, id)).toBeUndefined()
    }))

  it('are limited to 100 operations at a time, and 1000 stored ones', () =>
    onTables((sql) => {
      for (let n = 0; n < 100; n++) addOperation(sql, { name: crypto.randomUUID(), action: 'retry', filter: {} }, 1)
      expect(() => addOperation(sql, { name: crypto.randomUUID(), action: 'retry', filter: {} }, 1)).toThrow(
        'at most 100',
      )
      finish(sql)
      for (let n = 0; n < 1_100; n++) {
        addOperation(sql, { name: crypto.randomUUID(), action: 'retry', filter: {} }, 1)
        sql.exec(`UPDATE operations SET state = 'done'`)
      }
      expect(sql.exec('SELECT count(*) AS n FROM operations').one()).toEqual({ n: 1_001 })
    }))
})
