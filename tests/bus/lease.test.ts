// Tests of the lease of a document in a sync collection, which allows one call of the handler at a time.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { HandlerOutcome } from '#bus/contract/documents'
import { storeDocument } from '#bus/intake'
import { type Documents, documentsOf } from '#bus/schema'
import { hashOf } from '#bus/secrets'
import { callSync } from '#bus/sync-calls'
import { syncLeaseMs } from '#bus/timeouts'
import { place } from './place.ts'
import { adminSecret, buses, createCollectionAndUser, errorReply, type TestedBus } from './support.ts'

const second = 1_000

/** Creates a document in a sync collection whose lease the holder `first` has, until `lease`. */
async function holding(tested: TestedBus, lease: Date) {
  const { collection } = await createCollectionAndUser(tested, 'sync')
  const documents = documentsOf(tested.bus, collection.id)
  const row = { event: 'e', uuid: crypto.randomUUID(), data: '1', created_at: new Date(), state: 'waiting' }
  const begun = { ...row, attempts: 1, webhook_attempts: 0, holder: 'first', lease_until: lease }
  await tested.bus.db.insert(documents).values(begun)
  const set = (columns: Partial<Documents['$inferInsert']>) => tested.bus.db.update(documents).set(columns)
  return {
    set,
    read: async () => (await tested.bus.db.select().from(documents).where(eq(documents.id, 1)))[0]!,
    /** Calls the handler as `holder`. `answer` replies in place of the handler, and `hasBegun` resolves when it is called. */
    forward: (holder: string, lease: Date | null, replyAfterMs?: number) => {
      const { promise, resolve } = Promise.withResolvers<HandlerOutcome>()
      const begun = Promise.withResolvers<void>()
      const kept: Promise<unknown>[] = []
      const callHandler = async () => {
        begun.resolve()
        const { status_code: status, ...answer } = await promise
        const record = { started_at: new Date(), duration_ms: 1, status, error: null, headers: '{}', body: answer.body }
        return { status_code: status, ...answer, call: record }
      }
      const outcome = callSync(tested.bus, { collection, document: { id: 1 }, holder, lease }, callHandler, {
        keepAlive: (call) => kept.push(call),
        ...(replyAfterMs !== undefined && { replyAfterMs }),
      })
      return { outcome, hasBegun: begun.promise, answer: resolve, ended: () => Promise.all(kept) }
    },
  }
}

const paid = { status_code: 200, body: '"paid"' }
const late = { status_code: 503, body: '"late"' }

describe.each(buses())('a lease on $dialect', (tested) => {
  const inTime = () => new Date(Date.now() + 60 * second)

  it('that was lost does not lose a final response', async () => {
    const { forward, set, read } = await holding(tested, inTime())
    const first = forward('first', inTime())
    await first.hasBegun
    await set({ lease_until: new Date(0) })
    const other = forward('second', null)
    await other.hasBegun
    first.answer(paid)
    expect(await first.outcome).toEqual(paid)
    expect(await read()).toMatchObject({ ...paid, state: 'delivered' })
    other.answer(late)
    expect(await other.outcome).toEqual(paid)
    expect(await read()).toMatchObject({ ...paid, state: 'delivered' })
  })

  it('that was lost does not let a failure end the next call', async () => {
    const { forward, set, read } = await holding(tested, inTime())
    const first = forward('first', inTime())
    await first.hasBegun
    await set({ lease_until: new Date(0) })
    const other = forward('second', null)
    await other.hasBegun
    first.answer(late)
    expect(await first.outcome).toEqual(late)
    expect(await read()).toMatchObject({ status_code: null, holder: 'second' })
    other.answer(paid)
    expect(await other.outcome).toEqual(paid)
  })

  it('is kept after the sender got 504, until the handler answers: a repeat waits, and gets the answer', async () => {
    const { forward, read } = await holding(tested, inTime())
    const first = forward('first', inTime(), 1)
    expect(await first.outcome).toEqual({ status_code: 504, body: 'null' })
    expect(await read()).toMatchObject({ holder: 'first', status_code: null })
    const early = forward('second', null, 1)
    expect(await early.outcome).toEqual({ status_code: 504, body: 'null' })
    const repeat = forward('third', null)
    first.answer(paid)
    await first.ended()
    expect(await repeat.outcome).toEqual(paid)
    expect(await read()).toMatchObject({ ...paid, state: 'delivered', holder: null, attempts: 1 })
  })

  it('of a call whose process died ends at its deadline: a repeat then calls again', async () => {
    const { forward, set, read } = await holding(tested, inTime())
    const repeat = forward('second', null)
    await set({ lease_until: new Date(Date.now() - 1) })
    await repeat.hasBegun
    repeat.answer(paid)
    expect(await repeat.outcome).toEqual(paid)
    expect(await read()).toMatchObject({ attempts: 2 })
  })

  it('is renewed before a call that may take longer', async () => {
    const short = new Date(Date.now() + 2 * second)
    const { forward, read } = await holding(tested, short)
    const before = Date.now()
    const first = forward('first', short)
    await first.hasBegun
    const { lease_until, holder } = await read()
    expect(holder).toBe('first')
    expect(lease_until!.getTime()).toBeGreaterThanOrEqual(before + syncLeaseMs)
    first.answer(paid)
    expect(await first.outcome).toEqual(paid)
  })

  it('starts when a document is stored, not when its request arrives', async () => {
    const { collection } = await createCollectionAndUser(tested, 'sync')
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: '1' }
    const before = Date.now()
    const now = new Date(before - 24 * second)
    const posted = await storeDocument(tested.bus, tested.env, { ...document, hash: await hashOf(adminSecret), now })
    expect(posted.lease!.getTime()).toBeGreaterThanOrEqual(before + syncLeaseMs)
  })

  it('does not withhold a response if the collection is deleted meanwhile', async () => {
    const handler = place({ hold: '1' })
    const { collection, client } = await createCollectionAndUser(tested, 'sync', { handler: handler.url })
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    const posted = tested.send('POST', '/document', document, client.secret)
    await handler.arrived(1)
    await tested.send('DELETE', '/collection', { id: collection.id, force: true })
    await handler.release()
    expect(await posted).toMatchObject({ status: 201, json: { content: { response: { status_code: 200 } } } })
  })
})

describe.each(buses())('a retry on $dialect', (tested) => {
  it('gets the first response even if the collection is disabled', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'sync')
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    const first = await tested.send('POST', '/document', document, client.secret)
    await tested.send('PATCH', '/collection', { id: collection.id, is_disabled: true })
    expect(await tested.send('POST', '/document', document, client.secret)).toEqual(first)
    const other = { ...document, data: 2 }
    expect(await tested.send('POST', '/document', other, client.secret)).toMatchObject(errorReply(409, 'uuid_taken'))
    const another = { ...document, uuid: crypto.randomUUID() }
    expect(await tested.send('POST', '/document', another, client.secret)).toMatchObject(
      errorReply(409, 'collection_disabled'),
    )
  })

  it('does not add a query to the storing of a new document', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    const hash = await hashOf(client.secret)
    const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: '1' }
    const now = new Date()
    await storeDocument(tested.bus, tested.env, { ...document, hash, now })
    const stranger = storeDocument(tested.bus, tested.env, { ...document, hash: '0'.repeat(64), now })
    await expect(stranger).rejects.toMatchObject({ code: 'unauthorized' })
    const select = tested.bus.db.select
    tested.bus.db.select = () => expect.fail('The collection is asked for')
    try {
      const another = { ...document, uuid: crypto.randomUUID(), hash, now }
      expect(await storeDocument(tested.bus, tested.env, another)).toMatchObject({ isNew: true })
    } finally {
      tested.bus.db.select = select
    }
  })
})
