// Tests of a worker after crashes and evictions of its durable object: tasks are sent again, or lost, as documented.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { registryOf } from '#queue/backlogs'
import type { Env } from '#queue/bindings'
import { retentionOf } from '#queue/env'
import { ask } from '../support/requests.ts'
import { add, backlog, fresh, place, put, putFraction, rowOf, show, stored, until } from './support.ts'

/**
 * Runs the sweep of the component, which the gateway's cron trigger calls every minute, until it has woken a worker that is due: each
 * sweep wakes 200 durable objects at most, and the tests have 800 workers.
 */
async function sweep(worker: string): Promise<void> {
  // The rows of these tests are written without the object, which would have told the registry.
  await registryOf(env as unknown as Env).noteWake(worker, Date.now() - 120_000)
  for (let run = 0; run < 5; run++) await (exports.default as unknown as { sweep(): Promise<void> }).sweep()
}

const alarmOf = (worker: string) => runInDurableObject(backlog(worker), (_: Backlog, { storage }) => storage.getAlarm())

describe('a worker that crashes while it sends requests', () => {
  it('continues by itself: a task without retries is lost, a task with retries is sent again', async () => {
    const worker = fresh('two')
    const [once, often, later] = [place({ hold: 1 }), place({ hold: 1 }), place()]
    const lost = await add({ worker, url: once.url, json: { a: 1 } })
    const repeated = await add({ worker, url: often.url, retries: 1, retry_delay: 0 })
    await Promise.all([once.arrived(1), often.arrived(1)])
    const waiting = await add({ worker, url: later.url })
    await abortAllDurableObjects()
    await Promise.all([once.release(), often.release()])
    // No call wakes the worker before this request arrives: its alarm must.
    await later.arrived(1)
    await often.arrived(2)
    expect(await until(repeated, 'done')).toMatchObject({ attempts: 2, error: null })
    expect(await until(waiting, 'done')).toMatchObject({ attempts: 1 })
    expect(await show(lost)).toMatchObject({ state: 'lost', error: 'lost', status: null, attempts: 1 })
    expect((await once.visits()).visits).toHaveLength(1)
    await ask('POST', '/task/retry', { id: lost })
    const [, again] = await once.arrived(2)
    expect(again).toMatchObject({ body: '{"a":1}', headers: { 'x-task-id': lost, 'x-task-attempt': '2' } })
    await until(lost, 'done')
  })

  it('continues a fraction where it stopped, and lists the lost pieces', async () => {
    const worker = fresh()
    const { url, arrived, release, visits } = place({ hold: 1 })
    const id = await add({ worker, url, min: 1, max: 5, gap: 2, timeout: 3 })
    await release(1)
    await arrived(2)
    await abortAllDurableObjects()
    await release()
    await backlog(worker).wake()
    const { fraction, unhappy_pieces } = await until(id, 'failed')
    expect(fraction).toMatchObject({ next: null, pieces: { total: 3, done: 2, lost: 1, failed: 0 } })
    expect(unhappy_pieces).toMatchObject([{ min: 3, max: 4, state: 'lost' }])
    const pieces = (await visits()).visits.map(({ body }) => (JSON.parse(body) as { _min: number })._min)
    expect(pieces).toEqual([1, 3, 5])
  })

  it('starts nothing with one daemon before the deadline of the lost request, also after a second crash', async () => {
    const worker = fresh()
    const [held, next] = [place({ hold: 1 }), place()]
    const lost = await add({ worker, url: held.url, timeout: 4, retries: 1, retry_delay: 0 })
    await held.arrived(1)
    const { started_at, timeout } = await stored(lost)
    const waiting = await add({ worker, url: next.url })
    await abortAllDurableObjects()
    await backlog(worker).wake()
    await abortAllDurableObjects()
    await held.release()
    await until(waiting, 'done')
    for (const id of [waiting, lost])
      expect((await stored(id)).started_at).toBeGreaterThanOrEqual(started_at! + timeout)
    expect(await until(lost, 'done')).toMatchObject({ attempts: 2 })
  })

  it('keeps sleeping after a task with `sleep`', async () => {
    const worker = fresh()
    const sleepy = await add({ worker, url: place().url, sleep: 4_000 })
    const { ended_at } = await until(sleepy, 'done').then(() => stored(sleepy))
    await abortAllDurableObjects()
    const next = await add({ worker, url: place().url })
    await until(next, 'done')
    expect((await stored(next)).started_at).toBeGreaterThanOrEqual(ended_at! + 4_000)
  })

  it('stays paused', async () => {
    const worker = fresh()
    const { url, visits, arrived } = place()
    await ask('POST', '/worker/pause', { worker })
    const id = await add({ worker, url })
    await abortAllDurableObjects()
    await backlog(worker).wake()
    expect(await show(id)).toMatchObject({ state: 'waiting' })
    expect((await visits()).visits).toEqual([])
    await ask('POST', '/worker/resume', { worker })
    await arrived(1)
  })

  it('keeps its tasks and their numbers', async () => {
    const worker = fresh()
    const first = await add({ worker, url: 'http://127.0.0.1:1/', delay: 1_000 })
    await abortAllDurableObjects()
    expect(await show(first)).toMatchObject({ state: 'waiting' })
    expect(await add({ worker, url: 'http://127.0.0.1:1/', delay: 1_000 })).toBe(`${worker}-2`)
  })
})

describe('an evicted worker', () => {
  it('has an alarm for tasks that are due later, and sends them then', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    const id = await add({ worker, url, delay: 1_000 })
    expect(await alarmOf(worker)).not.toBeNull()
    await runInDurableObject(backlog(worker), (_: Backlog, { storage }) => {
      storage.sql.exec('UPDATE tasks SET due_at = 1')
    })
    await evictDurableObject(backlog(worker))
    expect(await runDurableObjectAlarm(backlog(worker))).toBe(true)
    await arrived(1)
    await until(id, 'done')
  })
})

describe('the sweep', () => {
  it('sends due tasks and sets an alarm for the rest, if an alarm was lost', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    const late = await add({ worker, url: 'http://127.0.0.1:1/', delay: 1_000 })
    const due = await runInDurableObject(backlog(worker), async (_: Backlog, { storage }) => {
      await storage.deleteAlarm()
      return put(storage.sql, { url, method: 'PUT' })
    })
    await evictDurableObject(backlog(worker))
    expect(await alarmOf(worker)).toBeNull()
    await sweep(worker)
    expect(await arrived(1)).toMatchObject([{ method: 'PUT' }])
    await until(`${worker}-${due}`, 'done')
    expect(await show(late)).toMatchObject({ state: 'waiting' })
    await expect.poll(() => alarmOf(worker)).toBeGreaterThan(Date.now())
  })

  it('deletes tasks that ended more than a day ago with their pieces, and keeps all others', async () => {
    const worker = fresh()
    const recent = await add({ worker, url: place().url })
    await until(recent, 'done')
    const old = Date.now() - 86_400_000 - 60_000
    const ids = await runInDurableObject(backlog(worker), (_: Backlog, { storage: { sql } }) => {
      const fraction = putFraction(sql, 1, 2, 1, { state: 'failed', next: null, ended_at: old })
      const piece = put(sql, { kind: 'piece', parent: fraction, min: 1, max: 1, state: 'failed', ended_at: old })
      const waiting = put(sql, { due_at: Date.now() + 1_000_000 })
      return { gone: [fraction, piece, put(sql, { state: 'done', ended_at: old })], waiting }
    })
    await sweep(worker)
    await runInDurableObject(backlog(worker), (_: Backlog, { storage: { sql } }) => {
      expect(ids.gone.map((id) => rowOf(sql, id))).toEqual([undefined, undefined, undefined])
      expect(rowOf(sql, ids.waiting)).toMatchObject({ state: 'waiting' })
    })
    expect(await show(recent)).toMatchObject({ state: 'done' })
    expect(await ask('GET', '/task', { id: `${worker}-${ids.gone[0]}` })).toMatchObject({ status: 404 })
  })
})

describe('an ended task', () => {
  it('is kept for QUEUE_RETENTION seconds, a day by default', () => {
    expect(retentionOf({ QUEUE_RETENTION: '60' })).toBe(60_000)
    for (const QUEUE_RETENTION of ['', '0', '-1', 'a day', '1.5', '1e3', '9999999999'])
      expect(retentionOf({ QUEUE_RETENTION })).toBe(86_400_000)
    expect(retentionOf({})).toBe(86_400_000)
  })
})
