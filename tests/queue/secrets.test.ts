// Tests that secret headers and confidential bodies are sent, but appear in no reply, stored row or log.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { seal } from '#queue/seal'
import { ask } from '../support/requests.ts'
import { add, backlog, fresh, place, pollOptions, target, until } from './support.ts'

const lines: string[] = []

beforeEach(() => {
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => void lines.push(said.join(' ')))
})

afterEach(() => {
  vi.restoreAllMocks()
  lines.length = 0
})

const textOf = (value: unknown) => (value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value)

/** All rows and values that a worker's durable object has stored, as text, in which the tests search for secrets. */
const storedOf = (worker: string) =>
  runInDurableObject(backlog(worker), (_: Backlog, { storage }) => {
    const rows = ['tasks', 'schedules'].flatMap((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray())
    const kept = [...storage.kv.list()]
    return JSON.stringify([rows.flatMap((row) => Object.values(row).map(textOf)), kept])
  })

const listedOf = async (worker: string, id?: string) =>
  JSON.stringify([
    await ask('GET', '/tasks', { worker }),
    await ask('GET', '/schedules', { worker }),
    ...(id ? [await ask('GET', '/task', { id })] : []),
  ])

const sealedOf = (worker: string) =>
  runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM tasks WHERE sealed IS NOT NULL').one(),
  ).then(({ n }) => n)

const secret = 'swordfish'

const kinds: [string, Record<string, unknown>, { headers?: object; body?: string }][] = [
  ['a confidential JSON body', { confidential: true, json: { pin: secret } }, { body: `{"pin":"${secret}"}` }],
  ['a confidential raw body', { confidential: true, body: `pin=${secret}` }, { body: `pin=${secret}` }],
  ['a secret header', { secret_headers: { 'X-Pin': secret }, json: { a: 1 } }, { headers: { 'x-pin': secret } }],
]

describe.each(kinds)('%s', (_, hidden, shown) => {
  it('is sent, and is in no reply, row or log before and after', async () => {
    const worker = fresh()
    const { url, arrived, release } = place({ hold: 1 })
    const id = await add({ worker, url, ...hidden })
    expect(await arrived(1)).toMatchObject([shown])
    expect(await sealedOf(worker)).toBe(1)
    expect(await storedOf(worker)).not.toContain(secret)
    expect(await listedOf(worker, id)).not.toContain(secret)
    await release()
    await until(id, 'done')
    expect(await sealedOf(worker)).toBe(0)
    expect(await storedOf(worker)).toContain(new URL(url).pathname)
    expect(await storedOf(worker)).not.toContain(secret)
    expect(await listedOf(worker, id)).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain(secret)
  })

  it('is sent with every retry, and deleted after the last one fails', async () => {
    const worker = fresh()
    const { url, visits } = place({ statuses: '500' })
    const id = await add({ worker, url, retries: 2, retry_delay: 0, ...hidden })
    await until(id, 'failed')
    expect((await visits()).visits).toMatchObject([shown, shown, shown])
    expect(await sealedOf(worker)).toBe(0)
  })

  it('is deleted when its task is canceled', async () => {
    const worker = fresh()
    const id = await add({ worker, url: target('/echo'), delay: 1_000, ...hidden })
    expect(await sealedOf(worker)).toBe(1)
    await ask('DELETE', '/task', { id })
    expect(await sealedOf(worker)).toBe(0)
  })

  it('is deleted as soon as its task ends, even while the daemon sleeps', async () => {
    const worker = fresh()
    const { url, arrived, release } = place({ hold: 1 })
    await add({ worker, url, sleep: 3_600_000, ...hidden })
    await arrived(1)
    expect(await sealedOf(worker)).toBe(1)
    await release()
    await expect.poll(() => sealedOf(worker), pollOptions).toBe(0)
  })

  it('is not logged when its request fails', async () => {
    const id = await add({ worker: fresh(), url: target('/cut'), ...hidden })
    await until(id, 'failed')
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain(secret)
  })

  it('is sent with each task of a schedule', async () => {
    const worker = fresh()
    const { url, arrived } = place()
    const params = { worker, url, schedule: 'a', cron: '* * * * * *', ...hidden }
    expect((await ask('POST', '/task', params)).status).toBe(200)
    expect(await storedOf(worker)).not.toContain(secret)
    expect((await arrived(2)).slice(0, 2)).toMatchObject([shown, shown])
    await ask('DELETE', '/schedule', { worker, name: 'a' })
    expect(await listedOf(worker)).not.toContain(secret)
  })
})

describe('the secrets of a fraction', () => {
  it('are sent with each piece, and deleted after the last one', async () => {
    const worker = fresh()
    const { url, visits } = place({ statuses: '500,200' })
    const range = { min: 1, max: 3, gap: 1, retries: 1, retry_delay: 0 }
    const params = { confidential: true, json: { pin: secret }, secret_headers: { 'x-pin': secret } }
    const id = await add({ worker, url, ...range, ...params })
    expect(await storedOf(worker)).not.toContain(secret)
    await until(id, 'done')
    const made = (await visits()).visits
    expect(made).toHaveLength(4)
    for (const { headers, body } of made)
      expect([headers['x-pin'], JSON.parse(body)]).toMatchObject([secret, { pin: secret }])
    expect(await sealedOf(worker)).toBe(0)
    expect(await storedOf(worker)).not.toContain(secret)
    expect(await listedOf(worker, id)).not.toContain(secret)
  })
})

describe('the query of a URL', () => {
  it('is in no list and no log', async () => {
    const worker = fresh()
    const id = await add({ worker, url: target(`/cut?pin=${secret}`), query_string: { other: secret } })
    await until(id, 'failed')
    expect(await listedOf(worker, id)).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain(secret)
  })
})

it('a task fails without a request if its secrets were encrypted with another QUEUE_SECRET', async () => {
  const worker = fresh()
  const { url, visits } = place()
  const id = await add({ worker, url, delay: 1_000, secret_headers: { a: 'b' } })
  const sealed = await seal('another', { headers: { a: 'b' } })
  await runInDurableObject(backlog(worker), (_: Backlog, { storage }) => {
    storage.sql.exec('UPDATE tasks SET due_at = 1, sealed = ?', sealed)
  })
  await runDurableObjectAlarm(backlog(worker))
  expect(await until(id, 'failed')).toMatchObject({ status: null, error: 'unreadable' })
  expect((await visits()).visits).toEqual([])
})
