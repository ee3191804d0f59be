// Tests of sync collections: the reply to a document has the answer of the handler.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { personalData } from '#bus/person'
import { type Bus, documentsOf } from '#bus/schema'
import { callSync } from '#bus/sync-calls'
import { personsIn } from '../support/person.ts'
import { nowhere, place } from './place.ts'
import { buses, createCollectionAndUser, errorReply, type TestedBus, target } from './support.ts'

interface Content {
  document: { id: number }
  response: { status_code: number; body: never }
}

const documentFor = (collection: string, more: object = {}) => ({
  collection,
  event: 'ask',
  uuid: crypto.randomUUID(),
  data: { n: 1 },
  ...more,
})

/** Creates a sync collection with this handler. Returns a document for it, and a function that sends documents. */
async function forwarding(tested: TestedBus, handler: string) {
  const { collection, client } = await createCollectionAndUser(tested, 'sync', { handler })
  const post = async (sent: object) => {
    const reply = await tested.send('POST', '/document', sent, client.secret)
    return { ...reply, content: reply.json.content as never as Content }
  }
  const sent = documentFor(collection.name)
  return { collection, client, sent, post }
}

/** A bus that counts its `SELECT` statements, to see how often a waiting request polls for the outcome. */
function watched(bus: Bus) {
  let looks = 0
  const select: Bus['db']['select'] = ((...columns: []) => {
    looks++
    return bus.db.select(...columns)
  }) as never
  const db = new Proxy(bus.db, { get: (of, name) => (name === 'select' ? select : Reflect.get(of, name).bind(of)) })
  return { bus: { ...bus, db }, looks: () => looks }
}

describe.each(buses())('a sync collection on $dialect', (tested) => {
  it('posts a document to its handler and returns the response', async () => {
    const { collection, sent, post } = await forwarding(tested, target('/echo'))
    const { status, content } = await post(sent)
    expect(status).toBe(201)
    const { document, response } = content
    expect(document).toEqual({ ...sent, id: expect.any(Number), webhook: null })
    expect(response.status_code).toBe(200)
    const echo = response.body as unknown as { method: string; headers: Record<string, string>; body: string }
    expect(echo.method).toBe('POST')
    expect(echo.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^doc_/),
      'webhook-timestamp': expect.stringMatching(/^\d+$/),
    })
    expect(echo.headers).not.toHaveProperty('api-secret')
    expect(echo.headers).not.toHaveProperty('webhook-signature')
    const { event, data, uuid } = sent
    expect(JSON.parse(echo.body)).toEqual({
      event,
      data,
      uuid,
      collection: collection.name,
      document: { id: document.id },
    })
    expect(await tested.content('GET', '/document', { collection: collection.name, id: document.id })).toMatchObject({
      document: { state: 'delivered', attempts: 1, response },
    })
  })

  it.each([
    ['/large', 200, 'x'.repeat(100_000)],
    ['/empty?status=204', 204, ''],
    ['/empty?status=404', 404, ''],
    ['/empty?status=500', 500, ''],
    ['/no-json', 200, '<p>'],
  ])('returns the response of %s as text', async (path, status_code, body) => {
    const { sent, post } = await forwarding(tested, target(path))
    expect((await post(sent)).content.response).toEqual({ status_code, body })
  })

  it('stores only the status of a response above 900 KB', async () => {
    const { sent, post } = await forwarding(tested, target('/echo'))
    const { content } = await post({ ...sent, data: 'x'.repeat(950_000) })
    expect(content.response).toEqual({ status_code: 200, body: null })
  })

  it('returns 502 if the handler cannot be reached', async () => {
    const { collection, sent, post } = await forwarding(tested, nowhere)
    const { status, content } = await post(sent)
    expect([status, content.response]).toEqual([201, { status_code: 502, body: null }])
    const { document } = content
    expect(await tested.content('GET', '/document', { collection: collection.name, id: document.id })).toMatchObject({
      document: { state: 'failed', attempts: 1, delivered_at: null },
    })
  })

  it('returns a stored final response to a retry', async () => {
    const handler = place({ statuses: '404,200' })
    const { sent, post } = await forwarding(tested, handler.url)
    const first = await post(sent)
    expect(first.content.response.status_code).toBe(404)
    expect(await post(sent)).toEqual(first)
    expect(await handler.visits()).toHaveLength(1)
  })

  it('calls the handler again after a status of 500 or more, with the same uuid and webhook-id', async () => {
    const handler = place({ statuses: '503,200' })
    const { sent, post } = await forwarding(tested, handler.url)
    expect((await post(sent)).content.response.status_code).toBe(503)
    expect((await post(sent)).content.response.status_code).toBe(200)
    const [first, second] = await handler.visits()
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
  })

  it('gives each document a unique webhook-id', async () => {
    const handler = place()
    const { sent, post } = await forwarding(tested, handler.url)
    const other = await forwarding(tested, handler.url)
    await post(sent)
    await post({ ...sent, uuid: crypto.randomUUID() })
    await other.post(other.sent)
    const ids = (await handler.visits()).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(3)
  })

  it('calls its handler once for 50 concurrent calls, which all get the response', async () => {
    const handler = place({ hold: '1' })
    const { sent, post } = await forwarding(tested, handler.url)
    const first = post(sent)
    await handler.arrived(1)
    const repeats = Array.from({ length: 49 }, () => post(sent))
    await handler.release()
    const replies = await Promise.all([first, ...repeats])
    expect(new Set(replies.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(replies[0]!.content.response.status_code).toBe(200)
    expect(await handler.visits()).toHaveLength(1)
  })

  it('returns a failure to all waiting callers before the next call', async () => {
    const handler = place({ statuses: '503,200', hold: '1' })
    const { collection, sent, post } = await forwarding(tested, handler.url)
    const first = post(sent)
    await handler.arrived(1)
    const waiting = Array.from({ length: 20 }, () => watched(tested.bus))
    const outcomes = waiting.map(({ bus }) => {
      const repeat = { collection, document: { id: 1 }, lease: null, holder: crypto.randomUUID() }
      const anotherCall = () => Promise.reject(new Error('This is another call'))
      return callSync(bus, repeat, anotherCall, { keepAlive: () => undefined })
    })
    await expect.poll(() => waiting.every(({ looks }) => looks() > 1)).toBe(true)
    await handler.release()
    expect((await first).content.response.status_code).toBe(503)
    for (const { status_code } of await Promise.all(outcomes)) expect(status_code).toBe(503)
  })

  it('calls the handler again after the first caller disconnected', async () => {
    const handler = place()
    const { collection, sent, post } = await forwarding(tested, handler.url)
    await post(sent)
    const documents = documentsOf(tested.bus, collection.id)
    const gone = { status_code: null, body: null, holder: 'nobody', lease_until: new Date(0) }
    await tested.bus.db.update(documents).set(gone).where(sql`true`)
    const { content } = await post(sent)
    expect(content.response.status_code).toBe(200)
    expect(await handler.visits()).toHaveLength(2)
  })

  it('lists a document as `processing` while its handler works', async () => {
    const handler = place({ hold: '1' })
    const { collection, sent, post } = await forwarding(tested, handler.url)
    const posted = post(sent)
    await handler.arrived(1)
    expect(await tested.content('GET', '/document', { collection: collection.name, id: 1 })).toMatchObject({
      document: { state: 'processing', response: null },
    })
    await handler.release()
    await posted
  })

  it.each(['erased', 'deleted'])(
    'does not store the answer for a document that was %s during the call',
    async (end) => {
      const handler = place({ hold: '1' })
      const user = crypto.randomUUID()
      const { collection, sent, post } = await forwarding(tested, handler.url)
      const posted = post({ ...sent, data: { user } })
      await handler.arrived(1)
      const documents = documentsOf(tested.bus, collection.id)
      if (end === 'erased') await personsIn(personalData, tested.env).erase({ user })
      else {
        await tested.bus.db.update(documents).set({ lease_until: new Date(0) })
        await tested.content('DELETE', '/document', { collection: collection.name, id: 1 })
      }
      await handler.release()
      await posted
      expect(await tested.bus.db.select().from(documents)).toMatchObject([
        { data: '{}', status_code: null, body: null },
      ])
    },
  )

  it('refuses the uuid of another document, without calling the handler', async () => {
    const handler = place()
    const { sent, post } = await forwarding(tested, handler.url)
    await post(sent)
    expect(await post({ ...sent, data: 2 })).toMatchObject(errorReply(409, 'uuid_taken'))
    expect(await handler.visits()).toHaveLength(1)
  })

  it('calls the new handler after a change', async () => {
    const [before, now] = [place(), place()]
    const { collection, sent, post } = await forwarding(tested, before.url)
    await post(sent)
    await tested.send('PATCH', '/collection', { id: collection.id, handler: now.url })
    await post({ ...sent, uuid: crypto.randomUUID() })
    expect([(await before.visits()).length, (await now.visits()).length]).toEqual([1, 1])
  })
})
