// Tests of the operations of the queue's API with valid parameters.
import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#queue/bindings'
import { ask } from '../support/requests.ts'
import { add, fresh, place, show, type TaskView, target, under, until } from './support.ts'

const { FIRST_REPLY } = env as unknown as Env
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const url = 'http://127.0.0.1:1/'

const ok = (content: unknown) => ({ status: 200, json: { status: true, content } })
const bare = { status: 200, json: { status: true } }

async function list(params: Record<string, unknown>) {
  const { json } = await ask('GET', '/tasks', params)
  return json.content as unknown as { tasks: TaskView[]; nb_results?: number }
}

describe('POST /task and GET /task', () => {
  it('create a task and return it', async () => {
    const worker = fresh()
    expect(await ask('POST', '/task', { worker, url, delay: 100 })).toEqual(ok({ task: { id: `${worker}-1` } }))
    expect(await ask('POST', '/task', { worker, url, delay: 100 })).toEqual(ok({ task: { id: `${worker}-2` } }))
    const task = {
      id: `${worker}-2`,
      worker,
      kind: 'task',
      state: 'waiting',
      method: 'POST',
      url,
      due_at: time,
      expires_at: null,
      created_at: time,
      started_at: null,
      ended_at: null,
      attempts: 0,
      retries: 0,
      status: null,
      error: null,
      schedule: null,
      request_id: expect.any(String),
      priority: 5,
      key: null,
      labels: [],
      on_success: null,
      on_failure: null,
      fraction: null,
    }
    expect(await ask('GET', '/task', { id: `${worker}-2` })).toEqual(ok({ task }))
  })

  it('return the times of creation and end', async () => {
    const id = await add({ worker: 'default', url: target('/echo'), retries: 3 })
    const ended = { state: 'done', started_at: time, ended_at: time, attempts: 1, retries: 3, status: 200 }
    expect(await until(id, 'done')).toMatchObject(ended)
  })

  it('return the due time in UTC', async () => {
    const id = await add({ worker: 'default', url, datetime: '2100-01-01T01:00:00+01:00' })
    expect(await show(id)).toMatchObject({ state: 'waiting', due_at: '2100-01-01 00:00:00' })
  })

  it('return no query, headers or body', async () => {
    const hidden = { headers: { 'x-a': 'hidden' }, json: { a: 'hidden' }, query_string: 'hidden=1' }
    const worker = fresh()
    const id = await add({ worker, url: `${url}path?hidden#hidden`, delay: 1_000, ...hidden })
    expect((await show(id)).url).toBe(`${url}path`)
    const replies = [await ask('GET', '/task', { id }), await ask('GET', '/tasks', { worker })]
    expect(JSON.stringify(replies)).not.toContain('hidden')
    expect((await list({ worker })).tasks).toHaveLength(1)
  })

  it('accept all parameters in the query', async () => {
    const worker = fresh()
    const query = new URLSearchParams({ worker, url, delay: '1000', json: '{"a":1}', retries: '2', method: 'put' })
    const response = await exports.default.fetch(`http://queue/task?${query}`, { method: 'POST' })
    expect(response.status).toBe(200)
    await response.body?.cancel()
    expect(await show(`${worker}-1`)).toMatchObject({ method: 'PUT', retries: 2 })
  })
})

describe('POST /fraction', () => {
  it('creates a fraction of any size', async () => {
    const worker = fresh()
    const range = { min: -1e15, max: 1e15, gap: 3 }
    const reply = await ask('POST', '/fraction', { worker, url, delay: 1_000, ...range })
    expect(reply).toEqual(ok({ fraction: { id: `${worker}-1` } }))
    expect(await ask('GET', '/task', { id: `${worker}-1` })).toMatchObject(
      ok({
        task: {
          kind: 'fraction',
          state: 'waiting',
          fraction: { ...range, next: -1e15, pieces: { total: 666_666_666_666_667, done: 0, failed: 0, lost: 0 } },
          unhappy_pieces: [],
        },
      }),
    )
  })
})

describe('Idempotency-Key', () => {
  const put = async (path: string, body: object, key: string) => {
    const headers = { 'idempotency-key': key }
    const response = await exports.default.fetch(`http://queue${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: response.status, json: await response.json() }
  }

  it.each([
    ['/task', {}],
    ['/fraction', { min: 1, max: 2, gap: 1 }],
  ])('creates one task for two calls of %s if the first reply was lost, and returns it', async (path, range) => {
    const [worker, key] = [fresh(), crypto.randomUUID()]
    const params = { worker, url, delay: 1_000, ...range }
    const first = await put(path, params, key)
    await runInDurableObject(FIRST_REPLY.getByName(key), (_, { storage }) => storage.deleteAll())
    expect(await put(path, params, key)).toEqual(first)
    expect((await list({ worker })).tasks).toHaveLength(1)
    expect((await put(path, params, crypto.randomUUID())).json).not.toEqual(first.json)
  })

  it.each([
    ['/task', {}],
    ['/fraction', { min: 1, max: 2, gap: 1 }],
  ])('returns the first reply to a retry of %s, and creates one task', async (path, range) => {
    const [worker, key] = [fresh(), crypto.randomUUID()]
    const params = { worker, url, delay: 1_000, ...range }
    const first = await put(path, params, key)
    expect(first.status).toBe(200)
    expect(await put(path, params, key)).toEqual(first)
    expect((await list({ worker })).tasks).toHaveLength(1)
    expect(await put(path, { ...params, delay: 2_000 }, key)).toMatchObject({
      status: 409,
      json: { status_code: 'idempotency_key_reused' },
    })
    expect((await list({ worker })).tasks).toHaveLength(1)
  })

  it('can be used again after a rejected request', async () => {
    const [worker, key] = [fresh(), crypto.randomUUID()]
    expect((await put('/task', { worker, url: 'nothing' }, key)).status).toBe(400)
    expect((await put('/task', { worker, url }, key)).status).toBe(200)
  })
})

describe('GET /tasks', () => {
  it('supports filters, pages and the count', async () => {
    const worker = fresh()
    const done = await add({ worker, url: target('/echo') })
    await until(done, 'done')
    const failed = await add({ worker, url: target('/empty?status=400') })
    await until(failed, 'failed')
    const dueSecond = await add({ worker, url, delay: 2_000 })
    const dueFirst = await add({ worker, url, delay: 1_000 })
    const fraction = await add({ worker, url, delay: 3_000, min: 1, max: 2, gap: 1 })
    const ids = async (params: object) => (await list({ worker, ...params })).tasks.map(({ id }) => id)
    expect(await ids({})).toEqual([fraction, dueFirst, dueSecond, failed, done])
    expect(await ids({ state: 'waiting' })).toEqual([dueFirst, dueSecond, fraction])
    expect(await ids({ state: 'done' })).toEqual([done])
    expect(await ids({ state: 'failed' })).toEqual([failed])
    expect(await ids({ state: 'lost' })).toEqual([])
    expect(await ids({ kind: 'fraction' })).toEqual([fraction])
    expect(await ids({ kind: 'task', limit: 2, offset: 1 })).toEqual([dueSecond, failed])
    expect(await list({ worker, kind: 'task', limit: 1, count: true })).toMatchObject({ nb_results: 4 })
    expect(await list({ worker })).not.toHaveProperty('nb_results')
  })

  it('lists only tasks of the given worker', async () => {
    const [one, other] = [fresh(), fresh()]
    await add({ worker: one, url, delay: 1_000 })
    expect((await list({ worker: other })).tasks).toEqual([])
  })
})

describe('DELETE /task and POST /task/retry', () => {
  it('cancel a waiting task, and queue it again', async () => {
    const { url, arrived } = place()
    const id = await add({ worker: fresh(), url, delay: 1_000 })
    const canceled = { id, state: 'canceled', ended_at: time, attempts: 0 }
    expect(await ask('DELETE', '/task', { id })).toMatchObject(ok({ task: canceled }))
    expect(await ask('DELETE', '/task', { id })).toMatchObject(ok({ task: canceled }))
    const again = await ask('POST', '/task/retry', { id })
    expect(again).toMatchObject(ok({ task: { id, ended_at: null } }))
    await arrived(1)
    expect(await until(id, 'done')).toMatchObject({ attempts: 1 })
  })

  it('let a request in flight end, and do not retry it', async () => {
    const { url, arrived, release, visits } = place({ hold: 1, statuses: '500' })
    const id = await add({ worker: fresh(), url, retries: 5, retry_delay: 0 })
    await arrived(1)
    expect(await ask('DELETE', '/task', { id })).toMatchObject(ok({ task: { id, state: 'running' } }))
    await release()
    expect(await until(id, 'canceled')).toMatchObject({ status: 500, attempts: 1 })
    expect((await visits()).visits).toHaveLength(1)
  })
})

describe('GET /workers', () => {
  const measures = async (name: string) => {
    // Only this worker: a durable object of each worker is asked.
    const { json } = await ask('GET', '/workers', {}, under({ QUEUE_WORKERS: JSON.stringify({ [name]: 1 }) }))
    return (json.content as unknown as { workers: { name: string }[] }).workers.find((worker) => worker.name === name)
  }

  it('returns depth, running tasks and rate', async () => {
    const worker = fresh()
    const idle = { name: worker, daemons: 1, per_key: null, depth: 0, due: 0, running: 0, oldest_due_at: null, rate: 0 }
    expect(await measures(worker)).toMatchObject({ ...idle, is_paused: false })
    const { url, arrived, release } = place({ hold: 1 })
    const ids = [await add({ worker, url }), await add({ worker, url })]
    await add({ worker, url, delay: 1_000 })
    await arrived(1)
    expect(await measures(worker)).toMatchObject({ depth: 2, due: 1, running: 1, oldest_due_at: time, rate: 0 })
    await release()
    await until(ids[1]!, 'done')
    expect(await measures(worker)).toMatchObject({ depth: 1, due: 0, running: 0, rate: expect.closeTo(2 / 60) })
  })
})

describe('POST /worker/pause and /worker/resume', () => {
  it('pause and resume a worker', async () => {
    const worker = fresh()
    const { url, visits, arrived, release } = place({ hold: 1 })
    const first = await add({ worker, url })
    await arrived(1)
    expect(await ask('POST', '/worker/pause', { worker })).toEqual(bare)
    const second = await add({ worker, url })
    await release()
    await until(first, 'done')
    expect(await show(second)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect((await visits()).visits).toHaveLength(1)
    expect(await ask('POST', '/worker/resume', { worker })).toEqual(bare)
    await until(second, 'done')
  })
})

describe('GET /_health', () => {
  it('checks a backlog', async () => {
    const response = await exports.default.fetch('http://queue/_health')
    expect([response.status, await response.json()]).toMatchObject([200, {}])
    expect(JSON.stringify((await ask('GET', '/_health')).json)).toContain('backlog')
  })
})
