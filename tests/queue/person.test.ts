import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { personalData } from '#queue/person'
import { personsIn } from '../support/person.ts'
import { ask } from '../support/requests.ts'
import { add, backlog, bound, fresh, place, show, target, until } from './support.ts'

/** Erases and exports in one worker and the built-in ones. The configuration of the tests has hundreds of others. */
const personsOf = (worker: string) =>
  personsIn(personalData, { ...bound, QUEUE_WORKERS: JSON.stringify({ [worker]: 1 }) })

/** All that a worker has stored of its tasks, as text. */
const storedOf = (worker: string) =>
  runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    JSON.stringify(storage.sql.exec('SELECT url, headers, json, body, hex(sealed), response FROM tasks').toArray()),
  )

let last = 0
const freshPhone = () => `7702${String(++last).padStart(7, '0')}`

describe('a person in the queue', () => {
  it.each([
    ['JSON', (phone: string) => ({ json: { message: { phones: [phone] } } })],
    ['a form', (phone: string) => ({ body: `phone=${phone}&text=Hi` })],
    ['a confidential body', (phone: string) => ({ json: { phone }, confidential: true })],
    ['the query of the URL', (phone: string) => ({ query_string: { phone } })],
    ['a header', (phone: string) => ({ headers: { 'X-Phone': phone } })],
    ['a secret header', (phone: string) => ({ secret_headers: { 'X-Phone': phone } })],
  ])('is found in %s of a waiting task, which is canceled without its payload', async (_, payloadOf) => {
    const [worker, phone, other] = [fresh(), freshPhone(), freshPhone()]
    const { erase, read } = personsOf(worker)
    const id = await add({ worker, url: target('/'), delay: 3_600, ...payloadOf(phone) })
    const kept = await add({ worker, url: target('/'), delay: 3_600, ...payloadOf(other) })

    expect(await read({ phone })).toMatchObject([{ place: 'tasks', row: { id } }])
    expect(await erase({ phone })).toEqual({ tasks: 1 })

    expect(await show(id)).toMatchObject({ state: 'canceled' })
    expect(await show(kept)).toMatchObject({ state: 'waiting' })
    expect(await storedOf(worker)).not.toContain(phone)
    expect(await ask('POST', '/task/retry', { id })).toMatchObject({ status: 409 })
    expect(await erase({ phone })).toEqual({})
    expect(await erase({ phone: other })).toEqual({ tasks: 1 })
  })

  it('is found in the response of a task that has ended, which is erased', async () => {
    const [worker, phone] = [fresh(), freshPhone()]
    const { erase } = personsOf(worker)
    const once = await add({ worker, url: target('/echo'), json: { phone } })
    const { url } = place({ statuses: '500,200' })
    const repeated = await add({ worker, url: `${url}&phone=${phone}`, retries: 1, retry_delay: 0 })
    await until(repeated, 'done')

    expect(await erase({ phone })).toEqual({ tasks: 2 })

    expect(await storedOf(worker)).not.toContain(phone)
    const attempts = await Promise.all([once, repeated].map((id) => ask('GET', '/task/attempts', { id })))
    expect(JSON.stringify(attempts)).not.toContain(phone)
    expect(await erase({ phone })).toEqual({})
  })

  it.each([
    ['JSON', (phone: string) => ({ json: { phones: [phone] } })],
    ['a body', (phone: string) => ({ body: `phone=${phone}` })],
    ['a confidential body', (phone: string) => ({ body: `phone=${phone}`, confidential: true })],
    ['the query of the URL', (phone: string) => ({ query_string: { phone } })],
    ['a header', (phone: string) => ({ headers: { 'X-Phone': `+${phone}` } })],
    ['the URL of a callback', (phone: string) => ({ on_failure: target(`/failed?phone=${phone}`) })],
  ])('is found in %s of a schedule, which is deleted', async (_, payloadOf) => {
    const [worker, phone, other] = [fresh(), freshPhone(), freshPhone()]
    const { erase, read } = personsOf(worker)
    for (const [schedule, mentioned] of [
      ['first', other],
      ['second', phone],
      ['third', phone],
    ] as const) {
      const task = { worker, url: target('/'), schedule, cron: '0 0 1 1 *', ...payloadOf(mentioned) }
      expect(await ask('POST', '/task', task)).toMatchObject({ status: 200 })
    }

    expect(await read({ phone })).toMatchObject([
      { place: 'schedules', row: { worker, name: 'second', url: target('/') } },
      { place: 'schedules', row: { worker, name: 'third' } },
    ])
    expect(JSON.stringify(await read({ phone }))).not.toContain('X-Phone')
    expect(await erase({ phone })).toEqual({ schedules: 2 })

    const { json } = await ask('GET', '/schedules', { worker })
    expect(json.content).toMatchObject({ schedules: [{ name: 'first' }] })
    expect(await erase({ phone })).toEqual({})
  })

  it('is found in tasks that have failed, and in those that are running', async () => {
    const [worker, phone] = [fresh('two'), freshPhone()]
    const { erase } = personsOf(worker)
    const { url, arrived, release } = place({ hold: 1 })
    const running = await add({ worker, url, json: { phone } })
    const failed = await add({ worker, url: target('/'), json: { phone } })
    await until(failed, 'failed')
    await arrived(1)

    const [, tasks] = personalData
    // The erasure of the worker is not done while an erased request is being sent.
    const env = { ...bound, QUEUE_WORKERS: JSON.stringify({ [worker]: 1 }) }
    let step = await tasks!.erase(env, { phone }, JSON.stringify([worker, 0]))
    expect(step).toMatchObject({ erased: 2, waits: true })
    step = await tasks!.erase(env, { phone }, step.next)
    expect(step).toMatchObject({ erased: 0, waits: true })

    expect(await storedOf(worker)).not.toContain(phone)
    await release()
    await until(running, 'done')
    expect(await tasks!.erase(env, { phone }, step.next)).toMatchObject({ erased: 0, next: expect.any(String) })
    expect(await tasks!.erase(env, { phone }, step.next)).not.toHaveProperty('waits')
    expect(await erase({ phone })).toEqual({})
    expect(await show(failed)).toMatchObject({ state: 'failed' })
  })
})
