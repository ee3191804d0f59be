// Tests of the labels of tasks, and of bodies that are bytes.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import { deleteEnded } from '#queue/retention'
import { ask } from '../support/requests.ts'
import { add, backlog, fresh, onTables, place, put, show, target } from './support.ts'

const url = target('/')

const indexed = (sql: SqlStorage) => sql.exec('SELECT label, task FROM task_labels ORDER BY label, task').toArray()

describe('labels', () => {
  it('are returned with the task, without duplicates', async () => {
    const id = await add({ worker: fresh(), url, delay: 100, labels: ['mail', 'tenant 1', 'mail'] })
    expect((await show(id)).labels).toEqual(['mail', 'tenant 1'])
    const range = { min: 1, max: 2, gap: 1 }
    expect((await show(await add({ worker: fresh(), url, delay: 100, labels: ['a'], ...range }))).labels).toEqual(['a'])
    expect((await show(await add({ worker: fresh(), url, delay: 100, labels: [] }))).labels).toEqual([])
  })

  it.each([[['']], [['x'.repeat(65)]], [Array.from({ length: 9 }, (_, n) => `${n}`)]])(
    'are refused if they are %j',
    async (labels) => {
      expect(await ask('POST', '/task', { worker: fresh(), url, labels })).toMatchObject({ status: 400 })
    },
  )

  it('are indexed while the task is stored', () =>
    onTables(async (sql) => {
      const old = put(sql, { labels: '["a","b"]', state: 'done', ended_at: 1 })
      const kept = put(sql, { labels: '["a"]' })
      put(sql)
      expect(indexed(sql)).toEqual([
        { label: 'a', task: old },
        { label: 'a', task: kept },
        { label: 'b', task: old },
      ])
      await deleteEnded(sql, { before: 2, maxEnded: 100, maxBytes: Number.POSITIVE_INFINITY })
      expect(indexed(sql)).toEqual([{ label: 'a', task: kept }])
    }))
})

const bytes = new Uint8Array([0xff, 0x00, 0xfe, 0x80])
const body_base64 = bytes.toBase64()
/** The bytes as the target's log shows them: each that is no UTF-8 as U+FFFD. */
const logged = { body: '\ufffd\0\ufffd\ufffd', headers: { 'content-length': '4' } }

describe('body_base64', () => {
  it.each([
    ['POST', {}],
    ['GET', {}],
    ['POST', { confidential: true }],
    ['POST', { body_base64: '', expected: { body: '', headers: { 'content-length': '0' } } }],
  ])('is sent unchanged by %s with %j', async (method, { expected = logged, ...params }: Record<string, unknown>) => {
    const { url, arrived } = place()
    await add({ worker: fresh(), url, method, body_base64, ...params })
    expect(await arrived(1)).toMatchObject([expected])
  })

  it('is sent by the tasks of a schedule', async () => {
    const { url, arrived } = place()
    const worker = fresh()
    await ask('POST', '/task', { worker, url, body_base64, schedule: 'a', cron: '* * * * * *' })
    expect((await arrived(1))[0]).toMatchObject(logged)
    await ask('DELETE', '/schedule', { worker, name: 'a' })
  })

  it('is stored as bytes', async () => {
    const worker = fresh()
    await add({ worker, url, delay: 100, body_base64 })
    const stored = await runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
      storage.sql.exec<{ body: ArrayBuffer }>('SELECT body FROM tasks').one(),
    )
    expect(new Uint8Array(stored.body)).toEqual(bytes)
  })

  it('may have a megabyte, and not more', async () => {
    const params = { worker: fresh(), url, delay: 100 }
    const large = new Uint8Array(1_000_000).toBase64()
    expect(await ask('POST', '/task', { ...params, body_base64: large })).toMatchObject({ status: 200 })
    expect(await ask('POST', '/task', { ...params, body_base64: `${large}AAAA` })).toMatchObject({ status: 400 })
  })

  it.each([
    { body_base64: 'a' },
    { body_base64: 'a===' },
    { body_base64: 'YQ==\n' },
    { body_base64, body: 'a' },
    { body_base64, json: {} },
  ])('is refused in %j', async (params) => {
    expect(await ask('POST', '/task', { worker: fresh(), url, ...params })).toMatchObject({ status: 400 })
  })
})
