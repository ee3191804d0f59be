// Tests of bulk replays, of the deletion of single documents, and of lists by delivery state.
import { env as bindings } from 'cloudflare:workers'
import { eq, inArray } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOperations } from '#bus/operations'
import { type Documents, documentsOf } from '#bus/schema'
import { sweepIndexes } from '#bus/state-index'
import { formatTime } from '#core/http/time'
import { place } from './place.ts'
import { buses, createCollectionAndUser, errorReply, type TestedBus, target } from './support.ts'

/** Creates an async collection with `count` documents, in the given states. */
async function filled(tested: TestedBus, states: string[], handler = target('/echo')) {
  const { bus, send, content, queue } = tested
  const { collection, client } = await createCollectionAndUser(tested, 'async', { handler })
  const documents = documentsOf(bus, collection.id)
  const sent = (data: unknown) => ({
    ...{ collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data, webhook: target('/echo') },
  })
  for (const [n] of states.entries()) await send('POST', '/document', sent(n), client.secret)
  queue.takeTasks()
  const set = (ids: number[], columns: Partial<Documents['$inferInsert']>) =>
    bus.db.update(documents).set(columns).where(inArray(documents.id, ids))
  for (const [n, state] of states.entries())
    if (state !== 'waiting')
      await set([n + 1], {
        state,
        next_at: null,
        attempts: 3,
        webhook_attempts: 1,
        status_code: state === 'failed' ? 503 : 200,
        body: '1',
      })
  return {
    collection,
    client,
    set,
    sent,
    rows: () => bus.db.select().from(documents).orderBy(documents.id),
    ids: async (filter: object = {}) => {
      const { documents } = await content('GET', '/documents', { collection: collection.name, ...filter })
      return (documents as unknown as { id: number }[]).map(({ id }) => id)
    },
    replay: (filter: object = {}, secret?: string) =>
      send('POST', '/documents/replay', { collection: collection.name, ...filter }, secret),
    /** Waits until an operation has ended, and returns it. */
    ended: async ({ json }: { json: Record<string, never> }) => {
      const { operation } = json.content as unknown as { operation: { id: string } }
      const read = async () => {
        await sweepOperations(tested.env)
        const found = await content('GET', '/operation', { collection: collection.name, id: operation.id })
        return found.operation as unknown as Record<string, unknown>
      }
      await expect.poll(async () => (await read()).state).not.toBe('running')
      return read()
    },
  }
}

describe.each(buses())('a bulk replay on $dialect', (tested) => {
  const { queue, callBack, bus } = tested
  const documentsIn = () =>
    queue
      .takeTasks()
      .map(({ json }) => json.document)
      .toSorted((a, b) => a - b)

  beforeEach(() => queue.takeTasks())

  it('makes all documents in a state due again, and creates their tasks', async () => {
    const { replay, ended, rows } = await filled(tested, ['failed', 'delivered', 'failed', 'rejected', 'waiting'])
    const started = await replay({ state: 'failed' })
    expect(started).toMatchObject({ status: 202 })
    expect(await ended(started)).toMatchObject({
      state: 'done',
      matched: 2,
      done: 2,
      ended_at: expect.any(String),
    })
    expect(documentsIn()).toEqual([1, 3])
    expect((await rows()).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
      ...['waiting 0', 'delivered 3', 'waiting 0', 'rejected 3', 'waiting 0'],
    ])
  })

  it('delivers the documents of an endpoint that was down, by one call', async () => {
    const handler = place()
    const { replay, ended, ids } = await filled(
      tested,
      Array.from({ length: 30 }, () => 'failed'),
      handler.url,
    )
    await ended(await replay())
    for (const task of queue.takeTasks()) await callBack(task)
    expect(await handler.visits()).toHaveLength(30)
    expect(await ids({ state: 'delivered' })).toHaveLength(30)
  })

  it('finds documents by time', async () => {
    const { replay, ended, set } = await filled(
      tested,
      Array.from({ length: 8 }, () => 'failed'),
    )
    const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n))
    for (let n = 1; n <= 8; n++) await set([n], { created_at: hour(n) })
    await ended(await replay({ from: formatTime(hour(3)), to: formatTime(hour(6)) }))
    expect(documentsIn()).toEqual([3, 4, 5])
    await ended(await replay({ from: formatTime(hour(8)) }))
    expect(documentsIn()).toEqual([8])
    await ended(await replay({ to: formatTime(hour(2)) }))
    expect(documentsIn()).toEqual([1])
    const invalid = await replay({ from: formatTime(hour(3)), to: formatTime(hour(3)) })
    expect(invalid).toMatchObject({ status: 400, json: { errors: { to: expect.any(String) } } })
  })

  it('of webhooks sends the stored answer again, without a call to the handler', async () => {
    const handler = place()
    const { replay, ended, ids, collection } = await filled(tested, ['delivered', 'failed', 'waiting'], handler.url)
    expect(await ended(await replay({ target: 'webhook' }))).toMatchObject({ matched: 1, done: 1 })
    for (const task of queue.takeTasks()) await callBack(task)
    expect(await handler.visits()).toEqual([])
    expect(await ids({ state: 'delivered' })).toEqual([1])
    const { attempts } = await tested.content('GET', '/document/attempts', { collection: collection.name, id: 1 })
    expect(attempts).toMatchObject([{ target: 'webhook', attempt: 1 }])
  })

  it('of webhooks calls no handler if rejections are retried meanwhile', async () => {
    const handler = place()
    const { replay, ended, set, ids, collection } = await filled(tested, ['rejected', 'waiting'], handler.url)
    await set([1], { status_code: 404, webhook_status: 200 })
    await set([2], { status_code: 404, attempts: 1 })
    await tested.send('PATCH', '/collection', { id: collection.id, retry_rejected: true })
    expect(await ended(await replay({ target: 'webhook' }))).toMatchObject({ matched: 1, done: 1 })
    for (const task of queue.takeTasks()) await callBack(task)
    expect(await handler.visits()).toEqual([])
    expect(await ids({ state: 'rejected' })).toEqual([1])
  })

  it('leaves out documents that are under way', async () => {
    const { replay, ended, set } = await filled(tested, ['failed', 'failed'])
    await set([1], { lease_until: new Date(Date.now() + 60_000) })
    expect(await ended(await replay())).toMatchObject({ matched: 2, done: 1 })
    expect(documentsIn()).toEqual([2])
  })

  it('continues after a crash where it stopped, and replays no document twice', async () => {
    const { replay, ended, collection } = await filled(tested, ['failed', 'failed', 'failed'])
    const started = await replay()
    await ended(started)
    queue.takeTasks()
    const { operations } = bus
    const id = (started.json.content as unknown as { operation: { id: string } }).operation.id
    const interrupted = { state: 'running', position: 2, next_at: new Date(Date.now() - 1), ended_at: null }
    await bus.db.update(operations).set(interrupted).where(eq(operations.id, id))
    await Promise.all([sweepOperations(tested.env), sweepOperations(tested.env), sweepOperations(tested.env)])
    expect(documentsIn()).toEqual([3])
    expect(await tested.content('GET', '/operation', { collection: collection.name, id })).toMatchObject({
      operation: { state: 'done', matched: 4, done: 4 },
    })
  })

  it('continues when the queue is back: no document is lost', async () => {
    const { replay, ended, rows, set } = await filled(tested, ['failed', 'failed'])
    queue.isDown = true
    const started = await replay()
    await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    queue.isDown = false
    await bus.db
      .update(bus.operations)
      .set({ next_at: new Date(Date.now() - 1) })
      .where(eq(bus.operations.state, 'running'))
    await ended(started)
    await set([1, 2], { next_at: new Date(Date.now() - 120_000) })
    await tested.sweep()
    expect(documentsIn()).toEqual([1, 2])
  })

  it('fails if the collection is deleted', async () => {
    const { replay, ended, collection } = await filled(tested, ['failed'])
    await ended(await replay())
    await bus.db
      .update(bus.operations)
      .set({ state: 'running', position: 0, next_at: new Date(0) })
      .where(eq(bus.operations.collection, collection.id))
    await tested.send('DELETE', '/collection', { id: collection.id, force: true })
    for (let n = 0; n < 3; n++) await sweepOperations(tested.env)
    const left = await bus.db.select().from(bus.operations).where(eq(bus.operations.collection, collection.id))
    expect(left.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(['purge done', 'replay failed'])
  })

  it('needs write access, and an async collection', async () => {
    const { replay, client, collection } = await filled(tested, [])
    const stranger = (await filled(tested, [])).client
    expect(await replay({}, stranger.secret)).toMatchObject(errorReply(403, 'forbidden'))
    expect(await replay({}, client.secret)).toMatchObject({ status: 202 })
    const storage = await createCollectionAndUser(tested, 'storage')
    const of = { collection: storage.collection.name }
    expect(await tested.send('POST', '/documents/replay', of)).toMatchObject(errorReply(409, 'not_async'))
    const unknown = { collection: collection.name, id: crypto.randomUUID() }
    expect(await tested.send('GET', '/operation', unknown)).toMatchObject(errorReply(404, 'operation_not_found'))
  })
})

describe.each(buses())('a deleted document on $dialect', (tested) => {
  const { queue, callBack, bus, send, content } = tested

  it('is gone with its attempts, is not delivered, and its id is not given again', async () => {
    const handler = place()
    const { collection, client, ids, sent } = await filled(tested, ['waiting', 'waiting'], handler.url)
    const document = sent('again')
    await send('POST', '/document', document, client.secret)
    const [task] = queue.takeTasks()
    const of = (id: number) => ({ collection: collection.name, id })
    expect(await send('DELETE', '/document', of(3), client.secret)).toMatchObject({ status: 200 })
    await callBack(task!)
    expect(await handler.visits()).toEqual([])
    expect(await ids()).toEqual([1, 2])
    expect(await send('GET', '/document', of(3))).toMatchObject(errorReply(404, 'document_not_found'))
    expect(await send('DELETE', '/document', of(3))).toMatchObject(errorReply(404, 'document_not_found'))
    expect((await content('GET', '/documents/count', { collection: collection.name })).documents).toBe(2)
    await send('POST', '/document', document, client.secret)
    expect(await ids()).toEqual([1, 2, 4])
    for (const id of [4, 1, 2]) await send('DELETE', '/document', of(id))
    await send('POST', '/document', document, client.secret)
    expect(await ids()).toEqual([5])
    await send('DELETE', '/document', of(5))
    expect(await bus.db.select().from(documentsOf(bus, collection.id))).toHaveLength(1)
    expect(await send('DELETE', '/collection', { id: collection.id })).toMatchObject({ status: 200 })
  })

  it('is refused while it is under way', async () => {
    const { collection, set, ids } = await filled(tested, ['waiting'])
    await set([1], { lease_until: new Date(Date.now() + 60_000) })
    const of = { collection: collection.name, id: 1 }
    expect(await send('DELETE', '/document', of)).toMatchObject(errorReply(409, 'document_processing'))
    expect(await ids()).toEqual([1])
  })
})

describe.each(buses())('a list by state on $dialect', (tested) => {
  it('has the documents in that state only', async () => {
    const { ids, set } = await filled(tested, ['failed', 'delivered', 'waiting', 'rejected', 'failed', 'waiting'])
    await set([6], { lease_until: new Date(Date.now() + 60_000) })
    expect(await ids({ state: 'failed' })).toEqual([1, 5])
    expect(await ids({ state: 'failed', id: 1 })).toEqual([5])
    expect(await ids({ state: 'failed', order: 'desc' })).toEqual([5, 1])
    expect(await ids({ state: 'rejected' })).toEqual([4])
    expect(await ids({ state: 'delivered' })).toEqual([2])
    expect(await ids({ state: 'waiting' })).toEqual([3])
    expect(await ids({ state: 'processing' })).toEqual([6])
  })

  it.runIf(tested.bus.dialect === 'd1')(
    'finds undelivered documents by an index, which the sweep adds to old tables',
    async () => {
      const { collection } = await filled(tested, [])
      const { DB } = bindings as unknown as { DB: D1Database }
      const query = `SELECT id FROM bus_documents_${collection.id} WHERE state = ? AND state IN ('rejected', 'failed') AND id > ? ORDER BY id`
      const plan = async () => {
        const { results } = await DB.prepare(`EXPLAIN QUERY PLAN ${query}`).bind('failed', 0).all<{ detail: string }>()
        return results.map(({ detail }) => detail).join()
      }
      expect(await plan()).toContain('_undelivered')
      await DB.prepare(`DROP INDEX bus_documents_${collection.id}_undelivered`).run()
      expect(await plan()).not.toContain('_undelivered')
      await expect.poll(() => sweepIndexes(tested.env).then(plan)).toContain('_undelivered')
    },
  )
})
