// Tests of a worker's daemons through the API: their number, order, pauses and `sleep`.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { ask } from '../support/requests.ts'
import { add, backlog, fresh, place, pollOptions, show, until } from './support.ts'

const pause = (worker: string) => ask('POST', '/worker/pause', { worker })
const resume = (worker: string) => ask('POST', '/worker/resume', { worker })
const measure = (worker: string) => runInDurableObject(backlog(worker), (object: Backlog) => object.measure())

const century = Date.UTC(2100, 0)

/** Makes all waiting tasks due: moves their due times, which are near the year 2100, to near 1970. Their order stays. */
const makeDue = (worker: string) =>
  runInDurableObject(backlog(worker), (_: Backlog, { storage }) => {
    storage.sql.exec(`UPDATE tasks SET due_at = due_at - ? WHERE state = 'waiting'`, century)
  })

describe('the daemons of a worker', () => {
  it('send their requests concurrently', async () => {
    const worker = fresh('dozen')
    const { url, visits } = place({ together: 12 })
    const ids = await Promise.all(Array.from({ length: 12 }, () => add({ worker, url })))
    for (const id of ids) await until(id, 'done')
    expect(await visits()).toMatchObject({ most: 12 })
  })

  it('never exceed their configured number', async () => {
    const worker = fresh('dozen')
    const { url, arrived, release, visits } = place({ hold: 1 })
    const ids = await Promise.all(Array.from({ length: 30 }, () => add({ worker, url })))
    await arrived(12)
    expect(await measure(worker)).toMatchObject({ running: 12, depth: 18 })
    await release()
    for (const id of ids) await until(id, 'done')
    const { most, visits: made } = await visits()
    expect([most, made.length]).toEqual([12, 30])
  })

  it('share the pieces of one fraction', async () => {
    const { url, visits } = place({ together: 12 })
    const id = await add({ worker: fresh('dozen'), url, min: 1, max: 12, gap: 1 })
    expect(await until(id, 'done')).toMatchObject({ fraction: { pieces: { done: 12 } } })
    expect((await visits()).most).toBe(12)
  })
})

describe('a worker with one daemon', () => {
  it('sends one request at a time, in the order of creation', async () => {
    const worker = fresh()
    const { url, order, visits } = place()
    const ids = []
    for (let n = 0; n < 30; n++) ids.push(await add({ worker, url, json: { n } }))
    await until(ids.at(-1)!, 'done')
    expect(await order()).toEqual(Array.from({ length: 30 }, (_, n) => n))
    expect((await visits()).most).toBe(1)
  })

  it('sends the task with the earliest due time first', async () => {
    const worker = fresh()
    const { url, order, arrived } = place()
    await pause(worker)
    for (const n of [0, 1, 2, 3])
      await add({ worker, url, datetime: new Date(century - n * 1_000).toISOString(), json: { n } })
    await makeDue(worker)
    await resume(worker)
    await arrived(4)
    expect(await order()).toEqual([3, 2, 1, 0])
  })

  it('sends other requests between the pieces of a fraction', async () => {
    const worker = fresh()
    const { url, order, arrived, release } = place({ hold: 1 })
    const id = await add({ worker, url, json: { n: 'piece' }, min: 1, max: 4, gap: 1 })
    await arrived(1)
    for (const n of ['a', 'b', 'c']) await add({ worker, url, json: { n } })
    await release()
    await until(id, 'done')
    expect(await order()).toEqual(['piece', 'piece', 'a', 'b', 'c', 'piece', 'piece'])
  })

  it('sends another request while a task waits for a retry', async () => {
    const worker = fresh()
    const { url } = place({ statuses: '500' })
    const failing = await add({ worker, url, retries: 1, retry_delay: 80_000 })
    const other = await add({ worker, url: place().url })
    await until(other, 'done')
    expect(await show(failing)).toMatchObject({ state: 'waiting', attempts: 1, status: 500 })
  })
})

describe('a daemon that sleeps after a task', () => {
  it('takes no task until it wakes', async () => {
    const worker = fresh()
    const [first, second] = [place({ hold: 1 }), place()]
    const sleepy = await add({ worker, url: first.url, sleep: 3_600_000 })
    const next = await add({ worker, url: second.url })
    await first.release()
    await until(sleepy, 'done')
    // Without `sleep`, the step that recorded the end of `sleepy` would have leased `next`.
    expect(await show(next)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await measure(worker)).toMatchObject({ running: 0, due: 1 })
  })

  it('continues after the sleep', async () => {
    const worker = fresh()
    const { url, order } = place()
    for (const n of [0, 1, 2]) await add({ worker, url, sleep: 20, json: { n } })
    await expect.poll(order, pollOptions).toEqual([0, 1, 2])
  })

  it('does not stop the other daemons', async () => {
    const worker = fresh('two')
    const sleepy = await add({ worker, url: place().url, sleep: 3_600_000 })
    await until(sleepy, 'done')
    const ids = await Promise.all([1, 2, 3].map(() => add({ worker, url: place().url })))
    for (const id of ids) await until(id, 'done')
  })
})

describe('a delayed task', () => {
  it.each([0.05, 2.2])('is sent by itself when it is due: in %d s', async (delay) => {
    const { url, arrived } = place()
    const id = await add({ worker: fresh(), url, delay })
    await arrived(1)
    const { due_at, started_at } = await until(id, 'done')
    expect(Date.parse(started_at!)).toBeGreaterThanOrEqual(Date.parse(due_at))
  })

  it.each([{ delay: 5_000 }, { datetime: '2100-01-01' }])('waits until it is due: %j', async (when) => {
    const worker = fresh()
    const { url, visits, arrived } = place()
    const id = await add({ worker, url, ...when })
    expect(await runDurableObjectAlarm(backlog(worker))).toBe(true)
    expect(await show(id)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect((await visits()).visits).toEqual([])
    await makeDue(worker)
    expect(await runDurableObjectAlarm(backlog(worker))).toBe(true)
    await arrived(1)
    await until(id, 'done')
  })

  it('is sent after a task that is due now', async () => {
    const worker = fresh()
    const late = await add({ worker, url: place().url, datetime: '2100-01-01' })
    const now = await add({ worker, url: place().url, datetime: '2000-01-01' })
    await until(now, 'done')
    expect(await show(late)).toMatchObject({ state: 'waiting' })
  })
})

describe('a worker that is paused', () => {
  it('sends no tasks, neither old nor new ones, whatever wakes it', async () => {
    const worker = fresh()
    const { url, visits, arrived } = place()
    await add({ worker, url, delay: 5_000 })
    await pause(worker)
    await add({ worker, url })
    await add({ worker, url, min: 1, max: 2, gap: 1 })
    await makeDue(worker)
    await backlog(worker).wake()
    await runDurableObjectAlarm(backlog(worker))
    expect(await measure(worker)).toMatchObject({ is_paused: true, due: 3, running: 0 })
    expect((await visits()).visits).toEqual([])
    await resume(worker)
    await arrived(4)
    expect(await measure(worker)).toMatchObject({ is_paused: false })
  })
})
