// Tests the API client against a real stack: its retries create nothing twice, and its types match the replies.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { table } from '#client/api/index'
import { type Quartermaster, quartermaster } from '#client/index'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { start } from '../stack.ts'

const settings = { token: 'the-token-of-the-tests', secrets: { bus: 'the-secret-of-the-administrator' } }

let stack: Stack
let q: Quartermaster

beforeAll(async () => {
  const variables = { AUTH_TOKENS: settings.token, BOX_ADMIN_SECRET: settings.secrets.bus }
  stack = await start({ containers: [], variables })
  q = quartermaster({ ...settings, url: stack.url })
})

afterAll(() => stack.dispose())

/**
 * A proxy that loses its first replies: each request reaches the stack, and the caller sees a broken connection instead
 * of the reply.
 */
async function losing(replies: number) {
  let lost = 0
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, answer) => {
    const passed = request(
      stack.url + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (reply) => {
        if (++lost > replies) {
          answer.writeHead(reply.statusCode!, reply.headers)
          reply.pipe(answer)
        } else reply.resume().once('end', () => incoming.socket.destroy())
      },
    )
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    client: quartermaster({ ...settings, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    lost: () => Math.min(lost, replies),
    /** Breaks all open connections. */
    cut: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('with lost replies', () => {
  it('creates a task once, which sends its request once', async () => {
    await using way = await losing(2)
    const { task } = await way.client.queue.post('/task', { worker: 'default', url: `${stack.url}/catcher/once` })
    expect(way.lost()).toBe(2)
    const caught = async () => (await q.catcher.get('/_last_request_', { path: '/once', wait: 20 }))?.path
    await expect.poll(caught, { timeout: 120_000 }).toMatch(/\/once$/)
    await expect.poll(async () => (await q.queue.get('/task', { id: task!.id })).task.state).toBe('done')
    const { tasks, nb_results } = await q.queue.get('/tasks', { worker: 'default', count: true })
    expect([tasks.map(({ id }) => id), nb_results]).toEqual([[task!.id], 1])
    expect((await q.catcher.get('/_requests_', { path: '/once', count: true })).nb_results).toBe(1)
  })

  it('creates a record once', async () => {
    await q.feed.post('/collection', { name: 'lost' })
    await using way = await losing(1)
    const { record } = await way.client.feed.post('/record', { collection: 'lost', recipient: 'ann', title: 'Once' })
    const { records } = await q.feed.get('/records', { collection: 'lost', recipient: 'ann' })
    expect(records.map(({ id }) => id)).toEqual([record.id])
  })

  it('creates a document once by its uuid', async () => {
    await q.bus.post('/collection', { name: 'lost', type: 'storage' })
    await using way = await losing(1)
    const uuid = '0197a6a0-0000-7000-8000-000000000001'
    const { document } = await way.client.bus.post('/document', {
      collection: 'lost',
      event: 'e',
      uuid,
      data: { a: 1 },
    })
    const { documents } = await q.bus.get('/documents', { collection: 'lost' })
    expect(documents.map(({ id }) => id)).toEqual([document.id])
  })

  it('deletes an item, and the retry finds none', async () => {
    const { record } = await q.feed.post('/record', { collection: 'lost', recipient: 'bob', title: 'Gone' })
    await using way = await losing(1)
    const deleted = way.client.feed.delete('/record', { collection: 'lost', id: record.id })
    await expect(deleted).rejects.toMatchObject({ status: 404, attempts: 2 })
  })

  it('resumes a stream', async () => {
    await using way = await losing(0)
    const seen: unknown[] = []
    const tell = (title: string) => q.feed.post('/record', { collection: 'lost', recipient: 'eve', title })
    await tell('one')
    for await (const { event, data } of way.client.feed.events('/stream', {
      ...{ collection: 'lost', recipient: 'eve' },
      last_event_id: '0.0',
    })) {
      seen.push([event, (data as { title: string }).title])
      if (seen.length === 2) break
      way.cut()
      await tell('two')
    }
    expect(seen).toEqual([
      ['record', 'one'],
      ['record', 'two'],
    ])
  })
})

describe('an operation listed as harmless', () => {
  const index = { name: 'twice', index: 'twice', code: 'a', title: 'Title', text: 'Text' }
  const rules = { ips: [], phones: [], emails: [], chats: [] }

  /**
   * Parameters that the calls need in addition to generated ones. Calls that need another program are tested elsewhere.
   */
  const params: Record<string, object> = {
    'POST /feed/collection': { name: 'twice' },
    'POST /feed/record/read': { collection: 'twice' },
    'POST /feed/record/unread': { collection: 'twice' },
    'POST /feed/stream/token': { collection: 'twice', recipient: 'ann' },
    'POST /queue/worker/pause': { worker: 'feed' },
    'POST /queue/worker/resume': { worker: 'feed' },
    'POST /fulltext/document': index,
    'POST /fulltext/documents': { index: 'twice', documents: [index] },
    'POST /typeahead/document': index,
    'POST /typeahead/documents': { index: 'twice', documents: [index] },
    'POST /sms/blacklist': { phone: '+15550100' },
    'POST /sms/messages': { phone: '+15550100' },
    'POST /email/messages': { to: 'ann@example.com' },
    'POST /otp/messages': {},
    'POST /payment/transactions': { account: 'ann' },
    'POST /otp/limit/sms': rules,
    'POST /otp/limit/call': rules,
    'POST /otp/limit/email': rules,
    'POST /otp/limit/chatapp': rules,
    'POST /notification/notifications': {},
    'POST /notification/notification/preview': {
      id: undefined,
      sms_message: 'Hello {{ name }}',
      payload: { name: 'Ann' },
    },
  }

  it.each(Object.entries(params))('returns the same twice: %s', async (name, specific) => {
    expect(table.harmless).toContain(name)
    await q.feed.post('/collection', { name: 'twice' })
    const { record } = await q.feed.post('/record', { collection: 'twice', recipient: 'ann', title: 'Twice' })
    for (const component of ['fulltext', 'typeahead'] as const)
      await q[component].post('/index', { name: 'twice' }).catch(() => undefined)
    const [method, path] = name.split(' ') as [string, string]
    const ask = async () => (await q.request(method, path, { id: record.id, ...specific })).status
    expect([await ask(), await ask()]).toEqual([200, 200])
  })

  it('returns the same twice: POST /bus/access', async () => {
    const { client } = await q.bus.post('/client', { name: 'twice' })
    const { collection } = await q.bus.post('/collection', { name: 'twice', type: 'storage' })
    const allow = () => q.bus.post('/access', { client: client.id, collection: collection.id, level: 'write' })
    expect(await allow()).toEqual(await allow())
  })

  it('returns the same twice: pause, resume and cancel a delivery', async () => {
    const { delivery } = await q.delivery.post('/delivery', {
      ...{ name: 'Twice', min: 1, max: 1_000_000, gap: 1, data_url: `${stack.url}/catcher/people`, filters: {} },
      ...{ has_sms: true, sms_message: { en: 'Hello' }, max_per_second: 1 },
    })
    for (const path of ['/delivery/pause', '/delivery/resume', '/delivery/cancel'] as const) {
      expect(table.harmless).toContain(`POST /delivery${path}`)
      for (const _ of ['once', 'twice'])
        expect(await q.delivery.post(path, { id: delivery.id })).toEqual({ status: true })
    }
  })
})
