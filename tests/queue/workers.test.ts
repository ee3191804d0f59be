// Tests of workers that calls create and configure: their settings, their shards, and the registry that wakes them.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { findWorker, registryOf } from '#queue/backlogs'
import type { WorkerRegistry } from '#queue/registry'
import { parseTaskId } from '#queue/task-id'
import { ask } from '../support/requests.ts'
import { add, backlog, bound, fresh, place, show, target, under, until } from './support.ts'

let made = 0
/** Creates a worker with some settings; returns its name. */
async function create(settings: Record<string, unknown> = {}, name = `made-${++made}`): Promise<string> {
  expect(await ask('PUT', '/worker', { name, daemons: 4, ...settings })).toMatchObject({ status: 200 })
  return name
}

const read = async (name: string) => {
  const { json } = await ask('GET', '/worker', { name })
  return (json.content as unknown as { worker: Record<string, unknown> }).worker
}

const inRegistry = <Result>(use: (registry: WorkerRegistry, sql: SqlStorage) => Result | Promise<Result>) =>
  runInDurableObject(registryOf(bound), (registry: WorkerRegistry, { storage }) => use(registry, storage.sql))

describe('PUT /worker', () => {
  it('creates a worker that sends tasks, and shows its settings', async () => {
    const name = `made-${++made}`
    const settings = {
      daemons: 3,
      per_key: { concurrency: 2 },
      rate: { limit: 100, period: 1.5 },
      retention: { seconds: 60 },
    }
    const shown = {
      name,
      daemons: 3,
      per_key: { concurrency: 2, rate: null, order: false },
      rate_limit: { limit: 100, period: 1.5 },
      serial: 'resume',
      shards: 1,
      retention: { seconds: 60, count: null },
      source: 'stored',
      depth: 0,
      is_paused: false,
    }
    expect(await ask('POST', '/task', { worker: name, url: target('/') })).toMatchObject({ status: 400 })
    const put = await ask('PUT', '/worker', { name, ...settings })
    expect(put).toMatchObject({ status: 200, json: { content: { worker: shown } } })
    expect(await read(name)).toMatchObject(shown)
    const { url } = place()
    await until(await add({ worker: name, url }), 'done')
  })

  it('wins over the preset, and replaces all settings', async () => {
    const worker = fresh()
    expect(await read(worker)).toMatchObject({ daemons: 1, serial: 'strict', source: 'variable' })
    await create({ daemons: 9, serial: 'strict', retention: { count: 5 } }, worker)
    expect(await read(worker)).toMatchObject({
      daemons: 9,
      serial: 'strict',
      source: 'stored',
      retention: { count: 5 },
    })
    await create({ daemons: 2 }, worker)
    expect(await read(worker)).toMatchObject({ daemons: 2, serial: 'resume', retention: { count: null } })
  })

  it('changes the number of daemons while requests are running', async () => {
    const worker = await create({ daemons: 1 })
    const held = place({ hold: 1 })
    const ids = await Promise.all(Array.from({ length: 6 }, () => add({ worker, url: held.url })))
    await held.arrived(1)
    await create({ daemons: 3 }, worker)
    await held.arrived(3)
    await create({ daemons: 1 }, worker)
    await held.release()
    for (const id of ids) await until(id, 'done')
    expect((await held.visits()).most).toBe(3)
  })

  it.each([
    [{ daemons: 0 }, 'daemons'],
    [{ daemons: 1_001 }, 'daemons'],
    [{ daemons: 4, shards: 5 }, 'shards'],
    [{ daemons: 64, shards: 65 }, 'shards'],
    [{ daemons: 4, shards: 4, rate: { limit: 3, period: 1 } }, 'shards'],
    [{ daemons: 4, per_key: { concurrency: 101 } }, 'per_key.concurrency'],
    [{ daemons: 4, per_key: { concurrency: 2, order: true } }, 'per_key.concurrency'],
    [{ daemons: 4, rate: { limit: 0, period: 1 } }, 'rate.limit'],
    [{ daemons: 4, serial: 'loose' }, 'serial'],
    [{ daemons: 4, retention: { seconds: 0 } }, 'retention.seconds'],
  ])('refuses %j', async (settings, parameter) => {
    const reply = await ask('PUT', '/worker', { name: 'refused', ...settings })
    expect(reply).toMatchObject({ status: 400, json: { errors: { [parameter]: expect.any(String) } } })
  })
})

describe('the limits of a worker', () => {
  it('let the tasks of a key run in order, with their retries', async () => {
    const worker = await create({ daemons: 4, per_key: { order: true } })
    const { url, order } = place({ statuses: '500,200' })
    const after = place()
    const first = await add({ worker, url, key: 'a', json: { n: 1 }, retries: 3, retry_delay: 0.2 })
    const second = await add({ worker, url: after.url, key: 'a', json: { n: 2 } })
    const ended = await until(second, 'done')
    const { attempts, ended_at } = await show(first)
    expect([attempts, ended_at! <= ended.ended_at!]).toEqual([2, true])
    expect(await order()).toEqual([1, 1])
  })

  it('pause a key after a Retry-After, which GET /worker shows', async () => {
    const worker = await create()
    const { url } = place({ statuses: '503', retry_after: 100 })
    const other = place()
    const id = await add({ worker, url, key: 'slow' })
    await until(id, 'failed')
    const waiting = await add({ worker, url, key: 'slow' })
    await until(await add({ worker, url: other.url, key: 'fast' }), 'done')
    expect(await read(worker)).toMatchObject({ paused_keys: [{ key: 'slow', failures: 1 }] })
    expect(await show(waiting)).toMatchObject({ state: 'waiting', attempts: 0 })
  })

  it('limit the rate', async () => {
    const worker = await create({ rate: { limit: 2, period: 1_000 } })
    const { url, visits } = place()
    const ids = []
    for (let n = 0; n < 4; n++) ids.push(await add({ worker, url }))
    await until(ids[1]!, 'done')
    expect((await visits()).visits).toHaveLength(2)
    await create({}, worker)
  })

  it('start tasks of a higher priority first', async () => {
    const worker = await create({ daemons: 1 })
    const held = place({ hold: 1 })
    await add({ worker, url: held.url })
    await held.arrived(1)
    const { url, order } = place()
    const ids = []
    for (const [n, priority] of [0, 5, 9, undefined].entries())
      ids.push(await add({ worker, url, json: { n }, priority }))
    await held.release()
    for (const id of ids) await until(id, 'done')
    expect(await order()).toEqual([2, 1, 3, 0])
    expect((await show(ids[2]!)) as unknown as { priority: number }).toMatchObject({ priority: 9 })
  })
})

describe('GET /workers', () => {
  it('lists stored workers and presets by name, in pages', async () => {
    const names = ['page-b', 'page-a', 'page-c']
    for (const name of names) await create({}, name)
    const page = async (after: string, limit: number) => {
      const { json } = await ask('GET', '/workers', { after, limit }, under({ QUEUE_WORKERS: '{}' }))
      const { workers, next } = json.content as unknown as { workers: { name: string }[]; next: string | null }
      return { names: workers.map(({ name }) => name), next }
    }
    expect(await page('page', 2)).toEqual({ names: ['page-a', 'page-b'], next: 'page-b' })
    const rest = await page('page-b', 500)
    expect(rest.names.slice(0, 2)).toEqual(['page-c', 'payment'])
    expect(rest.names).toEqual(rest.names.toSorted())
    let seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { names, next } = await page(after, 7)
      seen = [...seen, ...names]
      after = next
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(['default', 'sms', ...names]))
  })

  it('knows no worker of another name', async () => {
    expect(await ask('GET', '/worker', { name: 'nobody' })).toMatchObject({
      status: 404,
      json: { status_code: 'worker_not_found' },
    })
  })
})

describe('DELETE /worker', () => {
  it('deletes a worker that is empty, with its ended tasks', async () => {
    const worker = await create()
    const { url } = place()
    const id = await until(await add({ worker, url }), 'done').then(({ id }) => id)
    expect(await ask('DELETE', '/worker', { name: worker })).toMatchObject({ status: 200 })
    expect(await ask('GET', '/worker', { name: worker })).toMatchObject({ status: 404 })
    expect(await ask('GET', '/task', { id })).toMatchObject({ status: 404 })
    expect(await ask('POST', '/task', { worker, url })).toMatchObject({ status: 400 })
    await create({}, worker)
    expect(await add({ worker, url })).toBe(`${worker}-1`)
  })

  it('refuses to delete waiting tasks and schedules, unless it is forced', async () => {
    const worker = await create()
    const { url, visits } = place()
    const refused = { status: 409, json: { status_code: 'worker_not_empty' } }
    const id = await add({ worker, url, delay: 100 })
    expect(await ask('DELETE', '/worker', { name: worker })).toMatchObject(refused)
    expect(await show(id)).toMatchObject({ state: 'waiting' })
    await ask('DELETE', '/task', { id })
    await ask('POST', '/task', { worker, url, schedule: 'yearly', cron: '0 0 1 1 *' })
    expect(await ask('DELETE', '/worker', { name: worker })).toMatchObject(refused)
    await add({ worker, url, delay: 100 })
    expect(await ask('DELETE', '/worker', { name: worker, force: true })).toMatchObject({ status: 200 })
    expect(await ask('GET', '/worker', { name: worker })).toMatchObject({ status: 404 })
    expect((await visits()).visits).toEqual([])
  })

  it('aborts running requests if it is forced', async () => {
    const worker = await create()
    const held = place({ hold: 1 })
    await add({ worker, url: held.url, retries: 3, retry_delay: 0 })
    await held.arrived(1)
    expect(await ask('DELETE', '/worker', { name: worker, force: true })).toMatchObject({ status: 200 })
    await create({}, worker)
    const { url } = place()
    await until(await add({ worker, url }), 'done')
    await held.release()
    expect((await held.visits()).visits).toHaveLength(1)
  })

  it('gives a worker of QUEUE_WORKERS its preset again, and keeps its tasks', async () => {
    const worker = fresh()
    expect(await ask('DELETE', '/worker', { name: worker })).toMatchObject({
      status: 409,
      json: { status_code: 'worker_built_in' },
    })
    await create({ daemons: 9 }, worker)
    const id = await add({ worker, url: target('/'), delay: 100 })
    expect(await ask('DELETE', '/worker', { name: worker })).toMatchObject({ status: 200 })
    expect(await read(worker)).toMatchObject({ daemons: 1, source: 'variable', depth: 1 })
    expect(await show(id)).toMatchObject({ state: 'waiting' })
  })

  it('is completed by the sweep after a crash', async () => {
    const worker = await create()
    await add({ worker, url: target('/'), delay: 100 })
    await inRegistry((_, sql) => sql.exec('UPDATE workers SET is_deleted = 1, is_pending = 1 WHERE name = ?', worker))
    expect(await ask('GET', '/worker', { name: worker })).toMatchObject({ status: 404 })
    await registryOf(bound).repair()
    expect(await inRegistry((_, sql) => sql.exec('SELECT 1 FROM workers WHERE name = ?', worker).toArray())).toEqual([])
    await create({}, worker)
    expect(await read(worker)).toMatchObject({ depth: 0 })
  })
})

describe('the shards of a worker', () => {
  const keys = Array.from({ length: 12 }, (_, n) => `tenant-${n}`)

  it('store the tasks of a key together, and are one worker for lists, counts and ids', async () => {
    const worker = await create({ daemons: 4, shards: 4 })
    const { url } = place()
    const ids = []
    for (const key of [...keys, ...keys]) ids.push(await add({ worker, url, key, delay: 100 + ids.length }))
    const shards = ids.map((id) => parseTaskId(id)!.shard)
    expect(shards.slice(12)).toEqual(shards.slice(0, 12))
    expect(new Set(shards).size).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(24)
    const list = async (more: object) => {
      const { json } = await ask('GET', '/tasks', { worker, count: true, ...more })
      const { tasks, ...page } = json.content as unknown as {
        tasks: { id: string }[]
        nb_results: number
        next?: string
      }
      return { ids: tasks.map(({ id }) => id), ...page }
    }
    expect(await list({ state: 'waiting' })).toEqual({ ids, nb_results: 24 })
    const seen: string[] = []
    for (let after: string | undefined = '', pages = 0; after !== undefined && pages < 30; pages++) {
      const page: { ids: string[]; next?: string } = await list({ state: 'waiting', limit: 2, ...(after && { after }) })
      seen.push(...page.ids)
      after = page.next
    }
    expect(seen).toEqual(ids)
    expect((await list({})).ids.toSorted()).toEqual(ids.toSorted())
    expect(await read(worker)).toMatchObject({ depth: 24, shards: 4 })
    for (const id of ids) expect(await ask('DELETE', '/task', { id })).toMatchObject({ status: 200 })
    expect(await read(worker)).toMatchObject({ depth: 0 })
  })

  it('send their tasks, with the daemons divided between them', async () => {
    const worker = await create({ daemons: 2, shards: 2 })
    const held = place({ hold: 1 })
    const ids = []
    for (const key of keys) ids.push(await add({ worker, url: held.url, key }))
    await held.arrived(2)
    await held.release()
    for (const id of ids) await until(id, 'done')
    expect((await held.visits()).most).toBe(2)
  })

  it('cannot be changed while tasks wait', async () => {
    const worker = await create({ daemons: 8 })
    const id = await add({ worker, url: target('/'), delay: 100 })
    expect(await ask('PUT', '/worker', { name: worker, daemons: 8, shards: 2 })).toMatchObject({
      status: 409,
      json: { status_code: 'worker_not_empty' },
    })
    expect(await read(worker)).toMatchObject({ shards: 1 })
    await add({ worker, url: target('/'), delay: 100 })
    for (const each of [id, `${worker}-2`]) await ask('DELETE', '/task', { id: each })
    await create({ daemons: 8, shards: 2 }, worker)
    expect(await read(worker)).toMatchObject({ shards: 2 })
  })

  it('refuse tasks that were sent by an outdated number of shards; the call finds the new one', async () => {
    const worker = await create({ daemons: 8 })
    await findWorker(bound, worker)
    // Another isolate changes the worker: this one still knows a single shard.
    await registryOf(bound).put(worker, { daemons: 8, shards: 8 })
    const { url } = place()
    const ids = await Promise.all(keys.map((key) => add({ worker, url, key })))
    expect(new Set(ids.map((id) => parseTaskId(id)!.shard)).size).toBeGreaterThan(1)
    for (const id of ids) await until(id, 'done')
  })

  it('accept tasks again after a change that a crash interrupted', async () => {
    const worker = await create({ daemons: 8 })
    await backlog(worker).close(false)
    await inRegistry((_, sql) => sql.exec('UPDATE workers SET is_pending = 1 WHERE name = ?', worker))
    expect(await ask('POST', '/task', { worker, url: target('/') })).toMatchObject({
      status: 503,
      json: { status_code: 'worker_changing' },
    })
    await registryOf(bound).repair()
    await until(await add({ worker, url: place().url }), 'done')
  })

  it('have one schedule of a name, whatever its key', async () => {
    const worker = await create({ daemons: 8, shards: 8 })
    const url = target('/')
    for (const key of keys) await ask('POST', '/task', { worker, url, key, schedule: 'yearly', cron: '0 0 1 1 *' })
    const { json } = await ask('GET', '/schedules', { worker })
    expect(json.content).toMatchObject({ schedules: [{ name: 'yearly' }] })
    expect(await ask('DELETE', '/schedule', { worker, name: 'yearly' })).toMatchObject({ status: 200 })
    expect(await ask('DELETE', '/schedule', { worker, name: 'yearly' })).toMatchObject({ status: 404 })
  })
})

describe('the registry', () => {
  const wakeTime = (object: string) =>
    inRegistry((_, sql) =>
      sql
        .exec<{ wake_at: number }>('SELECT wake_at FROM objects WHERE name = ?', object)
        .toArray()
        .map(({ wake_at }) => wake_at),
    )

  it('knows when a worker has something to do, and writes it only if it becomes earlier by more than a minute', async () => {
    const worker = await create()
    const url = target('/')
    const before = Date.now()
    await add({ worker, url, delay: 1_000 })
    await expect.poll(() => wakeTime(worker)).toHaveLength(1)
    const [first] = await wakeTime(worker)
    expect(first! - before).toBeGreaterThanOrEqual(1_000_000)
    await add({ worker, url, delay: 970 })
    await add({ worker, url, delay: 500 })
    await expect.poll(async () => (await wakeTime(worker))[0]! < first! - 400_000).toBe(true)
  })

  it('knows a worker whose tasks all start at once, so that the retention applies to them', async () => {
    const worker = await create()
    await until(await add({ worker, url: place().url }), 'done')
    await expect.poll(() => wakeTime(worker)).toHaveLength(1)
    await backlog(worker).wake()
    expect((await wakeTime(worker))[0]).toBeGreaterThan(Date.now() + 80_000_000)
  })

  it('has overdue workers woken, at most 200 at a time, the longest overdue first', async () => {
    const worker = await create()
    const { url } = place()
    await add({ worker, url, delay: 1_000 })
    await expect.poll(() => wakeTime(worker)).toHaveLength(1)
    await inRegistry((registry, sql) => {
      registry.takeOverdue(0) // Adds the presets.
      sql.exec('UPDATE objects SET wake_at = 9e15')
      for (let n = 0; n < 300; n++) registry.noteWake(`overdue-${n}`, 1_000 + n)
      sql.exec('UPDATE objects SET wake_at = 1 WHERE name = ?', worker)
      const overdue = registry.takeOverdue(2_000)
      expect(overdue).toHaveLength(200)
      expect(overdue.slice(0, 3)).toEqual([worker, 'overdue-0', 'overdue-1'])
      expect(registry.takeOverdue(2_000)).toHaveLength(101)
      expect(registry.takeOverdue(2_000)).toEqual([])
      sql.exec(`DELETE FROM objects WHERE name LIKE 'overdue-%'`)
      sql.exec('UPDATE objects SET wake_at = 1 WHERE name = ?', worker)
    })
    await backlog(worker).wake()
    expect((await wakeTime(worker))[0]).toBeGreaterThan(Date.now())
    const summary = await inRegistry((registry) => registry.summary(3))
    expect(summary.deepest).toHaveLength(3)
    expect(summary.depth).toBeGreaterThanOrEqual(1)
  })
})

describe('the retention of a worker', () => {
  it('deletes tasks by their age and their number', async () => {
    const worker = await create({ daemons: 1, retention: { count: 2 } })
    const { url } = place()
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await until(await add({ worker, url }), 'done')).id)
    await backlog(worker).wake()
    const kept = async () =>
      (await Promise.all(ids.map((id) => ask('GET', '/task', { id })))).map(({ status }) => status)
    expect(await kept()).toEqual([404, 404, 200, 200])
    await create({ daemons: 1, retention: { seconds: 1 } }, worker)
    await runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
      storage.sql.exec('UPDATE tasks SET ended_at = ended_at - 2000'),
    )
    await backlog(worker).wake()
    expect(await kept()).toEqual([404, 404, 404, 404])
  })
})
