// Tests of subscriptions: their documents, events, retries, circuits, replays and deletion.
import { eq, max } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOperations } from '#bus/operations'
import { personalData } from '#bus/person'
import { sweepExpiredDocuments } from '#bus/retention'
import { documentsOf } from '#bus/schema'
import { personsIn } from '../support/person.ts'
import { nowhere, place } from './place.ts'
import { buses, createCollectionAndUser, errorReply, type TestedBus, target } from './support.ts'

interface Subscribed {
  id: string
  secret: string
}

/** Creates a collection with functions that subscribe to it and send documents. */
async function subscribing(tested: TestedBus, type: 'async' | 'storage' = 'storage') {
  const { content, send, bus, queue } = tested
  const { collection, client } = await createCollectionAndUser(tested, type)
  return {
    collection,
    client,
    subscribe: async (url: string, more: object = {}) => {
      const { subscription } = await content('POST', '/subscription', { collection: collection.name, url, ...more })
      return subscription as unknown as Subscribed
    },
    post: async (event = 'e', data: unknown = 1, uuid: string = crypto.randomUUID()) => {
      const sent = { collection: collection.name, event, uuid, data, webhook: target('/echo') }
      await send('POST', '/document', sent, client.secret)
      return queue.takeTasks()
    },
    deliveries: async (id = 1) => {
      const { document } = await content('GET', '/document', { collection: collection.name, id })
      return (document as unknown as { subscriptions: Record<string, unknown>[] }).subscriptions
    },
    set: (columns: object) =>
      bus.db.update(bus.deliveries).set(columns).where(eq(bus.deliveries.collection, collection.id)),
    subscriptions: async () => {
      const { subscriptions } = await content('GET', '/subscriptions', { collection: collection.name })
      return subscriptions as unknown as Record<string, unknown>[]
    },
  }
}

describe.each(buses())('a subscription on $dialect', (tested) => {
  const { queue, callBack, bus, send, content } = tested

  beforeEach(() => queue.takeTasks())

  it.each(['async', 'storage'] as const)('to an %s collection gets the body of a handler, signed', async (type) => {
    const subscriber = place()
    const { subscribe, post, deliveries, collection } = await subscribing(tested, type)
    const { id, secret } = await subscribe(subscriber.url)
    const tasks = await post('created', { order: 1 })
    expect(tasks).toHaveLength(type === 'async' ? 2 : 1)
    expect(await deliveries()).toMatchObject([{ id, state: 'waiting', attempts: 0 }])
    await callBack(tasks.find(({ json }) => 'subscription' in json)!)
    const [visit] = await subscriber.visits()
    const body = new Webhook(secret).verify(visit!.body, visit!.headers)
    expect(body).toMatchObject({
      event: 'created',
      data: { order: 1 },
      collection: collection.name,
      document: { id: 1 },
    })
    expect(await deliveries()).toMatchObject([{ id, state: 'delivered', attempts: 1, status_code: 200, next_at: null }])
    const { attempts } = await content('GET', '/document/attempts', { collection: collection.name, id: 1, target: id })
    expect(attempts).toMatchObject([{ target: id, attempt: 1, status: 200 }])
  })

  it('shows its secret once', async () => {
    const { subscribe, subscriptions } = await subscribing(tested)
    const chosen = `whsec_${new Uint8Array(32).fill(3).toBase64()}`
    expect((await subscribe(nowhere, { secret: chosen })).secret).toBe(chosen)
    const shown = await subscriptions()
    expect(shown).toMatchObject([{ url: nowhere, events: [], is_disabled: false, circuit: 'closed', secrets: 1 }])
    expect(JSON.stringify(shown)).not.toContain('whsec_')
    const stored = await bus.db.select().from(bus.subscriptions)
    expect(JSON.stringify(stored)).not.toContain(chosen.slice(6))
  })

  it('gets the documents with its events, from then on, each once', async () => {
    const { subscribe, post } = await subscribing(tested)
    const uuid = crypto.randomUUID()
    await post('order.created', 1, uuid)
    const one = await subscribe(nowhere, { events: ['order.*'] })
    const two = await subscribe(nowhere, { events: ['paid', 'order.created'] })
    const three = await subscribe(nowhere, { events: ['*'] })
    const ofEvent = async (event: string, ...rest: [unknown?, string?]) =>
      (await post(event, ...rest))
        .map(({ json }) => (json as unknown as { subscription: string }).subscription)
        .toSorted()
    expect(await ofEvent('order.created', 1, uuid)).toEqual([])
    expect(await ofEvent('order.created')).toEqual([one.id, two.id, three.id].toSorted())
    expect(await ofEvent('order.')).toEqual([one.id, three.id].toSorted())
    expect(await ofEvent('order')).toEqual([three.id])
    expect(await ofEvent('paid')).toEqual([two.id, three.id].toSorted())
    expect(await ofEvent('Paid')).toEqual([three.id])
    const again = crypto.randomUUID()
    expect(await ofEvent('x', 1, again)).toEqual([three.id])
    expect(await ofEvent('x', 1, again)).toEqual([])
  })

  it('is retried on its own, with its own circuit', async () => {
    const [dead, alive] = [place({ statuses: '503,200' }), place()]
    const { subscribe, post, deliveries, set, subscriptions } = await subscribing(tested)
    await subscribe(dead.url)
    await subscribe(alive.url)
    for (const task of await post()) await callBack(task)
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', attempts: 1, status_code: 503 },
      { state: 'delivered', attempts: 1 },
    ])
    expect((await subscriptions()).map(({ circuit }) => circuit)).toEqual(['half_open', 'closed'])
    const [later] = queue.takeTasks()
    expect(later!.delay).toBeGreaterThanOrEqual(10)
    await set({ next_at: new Date() })
    await callBack(later!)
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }, {}])
    expect((await subscriptions()).map(({ circuit }) => circuit)).toEqual(['closed', 'closed'])
    expect(await alive.visits()).toHaveLength(1)
  })

  it('waits without a call while its circuit is open', async () => {
    const { subscribe, post, deliveries } = await subscribing(tested)
    await subscribe(nowhere)
    for (let n = 0; n < 4; n++) for (const task of await post()) await callBack(task)
    expect(await deliveries(4)).toMatchObject([{ state: 'waiting', attempts: 0, status_code: null }])
    expect(queue.takeTasks()).toHaveLength(1)
  })

  it('fails after the schedule', async () => {
    const { subscribe, post, deliveries, set } = await subscribing(tested)
    await subscribe(target('/empty?status=500'))
    const [task] = await post()
    await set({ attempts: 100 })
    await callBack(task!)
    expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 101, next_at: null }])
    expect(queue.takeTasks()).toEqual([])
  })

  it('is disabled by an answer 410, until it is enabled again', async () => {
    const subscriber = place({ statuses: '410,200' })
    const { subscribe, post, deliveries, subscriptions } = await subscribing(tested)
    const { id } = await subscribe(subscriber.url)
    const [first, second] = [await post(), await post()]
    await callBack(first[0]!)
    await callBack(second[0]!)
    expect(await subscriber.visits()).toHaveLength(1)
    expect(await subscriptions()).toMatchObject([{ is_disabled: true, disabled_because: 'gone' }])
    expect(await deliveries(1)).toMatchObject([{ state: 'failed', status_code: 410 }])
    expect(await deliveries(2)).toMatchObject([{ state: 'failed', status_code: null }])
    expect(await post()).toEqual([])
    expect(await content('PATCH', '/subscription', { id, is_disabled: false })).toMatchObject({
      subscription: { id, is_disabled: false, disabled_because: null },
    })
    expect(await post()).toHaveLength(1)
  })

  it('is not disabled by an answer 410 of a URL that it had before', async () => {
    const [before, after] = [place({ statuses: '410', hold: '1' }), place()]
    const { subscribe, post, subscriptions } = await subscribing(tested)
    const { id } = await subscribe(before.url)
    const [task] = await post()
    const called = callBack(task!)
    await before.arrived(1)
    await send('PATCH', '/subscription', { id, url: after.url })
    await before.release()
    await called
    expect(await subscriptions()).toMatchObject([{ url: after.url, is_disabled: false, disabled_because: null }])
  })

  it('gets missed documents by a replay, those with its events only', async () => {
    const subscriber = place()
    const { subscribe, post, deliveries, collection } = await subscribing(tested)
    for (const event of ['a', 'b', 'a']) await post(event)
    const { id } = await subscribe(subscriber.url, { events: ['a'] })
    const replay = async (filter: object) => {
      const { operation } = await content('POST', '/documents/replay', {
        collection: collection.name,
        target: id,
        ...filter,
      })
      const of = { collection: collection.name, id: (operation as unknown as { id: string }).id }
      const read = async () => {
        await sweepOperations(tested.env)
        return (await content('GET', '/operation', of)).operation as unknown as Record<string, unknown>
      }
      await expect.poll(async () => (await read()).state).toBe('done')
      return read()
    }
    expect(await replay({})).toMatchObject({ matched: 2, done: 2 })
    for (const task of queue.takeTasks()) await callBack(task)
    expect(await subscriber.visits()).toHaveLength(2)
    expect(await deliveries(2)).toEqual([])
    expect(await replay({ state: 'failed' })).toMatchObject({ matched: 0, done: 0 })
    expect(await replay({ state: 'delivered' })).toMatchObject({ matched: 2, done: 2 })
    expect(await deliveries(1)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    const unknown = { collection: collection.name, target: crypto.randomUUID() }
    expect(await send('POST', '/documents/replay', unknown)).toMatchObject(errorReply(404, 'subscription_not_found'))
  })

  it('gets documents whose task was lost, or that the queue did not accept', async () => {
    const { subscribe, post, set } = await subscribing(tested)
    const { id } = await subscribe(nowhere)
    queue.isDown = true
    await post()
    queue.isDown = false
    await tested.sweep()
    expect(queue.takeTasks()).toEqual([])
    await set({ next_at: new Date(Date.now() - 120_000) })
    await tested.sweep()
    expect(queue.takeTasks()).toMatchObject([{ json: { document: 1, subscription: id } }])
    await tested.sweep()
    expect(queue.takeTasks()).toEqual([])
  })

  it('leases each delivery: a second task waits', async () => {
    const subscriber = place({ hold: '1' })
    const { subscribe, post } = await subscribing(tested)
    await subscribe(subscriber.url)
    const [task] = await post()
    const called = callBack(task!)
    await subscriber.arrived(1)
    await callBack(task!)
    expect(queue.takeTasks()).toHaveLength(1)
    await subscriber.release()
    await called
    await callBack(task!)
    expect(await subscriber.visits()).toHaveLength(1)
  })

  it('keeps its documents until they are delivered; then they are deleted with the deliveries', async () => {
    const { subscribe, post, collection } = await subscribing(tested)
    await subscribe(target('/echo'))
    const [task] = await post()
    await post()
    const documents = documentsOf(bus, collection.id)
    const rows = async () => (await bus.db.select().from(documents)).map(({ id }) => id).toSorted()
    const sweep = () => sweepExpiredDocuments({ ...tested.env, BOX_RETENTION: '60' })
    await bus.db
      .update(documents)
      .set({ created_at: new Date(0) })
      .where(eq(documents.id, 1))
    await sweep()
    expect(await rows()).toEqual([1, 2])
    await callBack(task!)
    await sweep()
    expect(await rows()).toEqual([2])
    const left = await bus.db.select().from(bus.deliveries).where(eq(bus.deliveries.collection, collection.id))
    expect(left.map(({ document }) => document)).toEqual([2])
    expect(await send('DELETE', '/document', { collection: collection.name, id: 2 })).toMatchObject({ status: 200 })
    expect(await bus.db.select().from(bus.deliveries).where(eq(bus.deliveries.collection, collection.id))).toEqual([])
  })

  it('keeps a document from deletion while it is being called', async () => {
    const { subscribe, post, set, collection } = await subscribing(tested)
    await subscribe(nowhere)
    await post()
    await set({ lease_until: new Date(Date.now() + 60_000) })
    const of = { collection: collection.name, id: 1 }
    expect(await send('DELETE', '/document', of)).toMatchObject(errorReply(409, 'document_processing'))
  })

  it('gets no document of an erased person', async () => {
    const subscriber = place()
    const user = crypto.randomUUID()
    const { subscribe, post, deliveries } = await subscribing(tested)
    await subscribe(subscriber.url)
    const [task] = await post('e', { user })
    await personsIn(personalData, tested.env).erase({ user })
    await callBack(task!)
    expect(await subscriber.visits()).toEqual([])
    expect(await deliveries()).toMatchObject([{ state: 'failed', next_at: null }])
  })

  it('is deleted with its waiting deliveries, and with its collection', async () => {
    const subscriber = place()
    const { subscribe, post, deliveries, subscriptions, collection } = await subscribing(tested)
    const { id } = await subscribe(subscriber.url)
    await subscribe(subscriber.url)
    const [task] = await post()
    expect(await send('DELETE', '/subscription', { id })).toMatchObject({ status: 200 })
    expect(await send('DELETE', '/subscription', { id })).toMatchObject(errorReply(404, 'subscription_not_found'))
    expect(await send('PATCH', '/subscription', { id })).toMatchObject(errorReply(404, 'subscription_not_found'))
    expect(await subscriptions()).toHaveLength(1)
    if ((task!.json as unknown as Subscribed & { subscription: string }).subscription === id) await callBack(task!)
    expect(await subscriber.visits()).toEqual([])
    expect(await deliveries()).toHaveLength(1)
    for (let n = 0; n < 3; n++) await sweepOperations(tested.env)
    const of = eq(bus.deliveries.collection, collection.id)
    const open = (await bus.db.select().from(bus.deliveries).where(of)).filter(({ next_at }) => next_at !== null)
    expect(open.map(({ subscription }) => subscription)).not.toContain(id)
    await send('DELETE', '/collection', { id: collection.id, force: true })
    for (let n = 0; n < 3; n++) await sweepOperations(tested.env)
    expect(await bus.db.select().from(bus.deliveries).where(of)).toEqual([])
    expect(
      await bus.db.select().from(bus.subscriptions).where(eq(bus.subscriptions.collection, collection.name)),
    ).toEqual([])
  })

  it('is refused for sync collections, wrong URLs and events, more than 50, and for others than administrators', async () => {
    const sync = await createCollectionAndUser(tested, 'sync')
    const { collection, client, subscribe } = await subscribing(tested)
    const create = (more: object, secret?: string) =>
      send('POST', '/subscription', { collection: collection.name, url: nowhere, ...more }, secret)
    expect(await create({ collection: sync.collection.name })).toMatchObject(errorReply(409, 'sync_collection'))
    expect(await create({ collection: 'nothing' })).toMatchObject(errorReply(404, 'collection_not_found'))
    for (const invalid of [{ url: 'ftp://a.test/' }, { events: ['a*b'] }, { events: [''] }, { secret: 'short' }])
      expect(await create(invalid)).toMatchObject({ status: 400 })
    expect(await create({}, client.secret)).toMatchObject(errorReply(403, 'forbidden'))
    for (let n = 0; n < 50; n++) await subscribe(nowhere)
    expect(await create({})).toMatchObject(errorReply(409, 'subscriptions_full'))
  })
})

describe.each(buses())('signing secrets on $dialect', (tested) => {
  const { queue, callBack, send, content } = tested

  beforeEach(() => queue.takeTasks())

  const signing = async () => {
    const [handler, webhook] = [place(), place()]
    const { collection, client } = await createCollectionAndUser(tested, 'async', { handler: handler.url })
    const add = async (more: object = {}) => {
      const { signing_secret } = await content('POST', '/signing-secret', { collection: collection.name, ...more })
      return signing_secret as unknown as { target: string; secret: string; secrets: number }
    }
    /** Sends a document and returns the last requests of handler and webhook. */
    const deliver = async () => {
      const sent = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: 1, webhook: webhook.url }
      await send('POST', '/document', sent, client.secret)
      await callBack(queue.takeTasks()[0]!)
      return [(await handler.visits()).at(-1)!, (await webhook.visits()).at(-1)!] as const
    }
    return { collection, webhook, add, deliver }
  }
  const isSignedBy = (secret: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    try {
      return Boolean(new Webhook(secret).verify(body, headers))
    } catch {
      return false
    }
  }

  it('sign calls to the handler and to the webhooks of an origin, each its own', async () => {
    const { webhook, add, deliver } = await signing()
    const { secret: ofHandler } = await add()
    const added = await add({ target: webhook.url })
    expect(added).toMatchObject({ target: new URL(webhook.url).origin, secrets: 1 })
    const [toHandler, toWebhook] = await deliver()
    expect([isSignedBy(ofHandler, toHandler), isSignedBy(added.secret, toHandler)]).toEqual([true, false])
    expect([isSignedBy(ofHandler, toWebhook), isSignedBy(added.secret, toWebhook)]).toEqual([false, true])
  })

  it('rotate: two sign at a time, until the older one is deleted', async () => {
    const { collection, add, deliver } = await signing()
    const [one, two] = [await add(), await add()]
    expect(two).toMatchObject({ target: 'handler', secrets: 2 })
    const of = { collection: collection.name }
    const [both] = await deliver()
    expect([isSignedBy(one.secret, both), isSignedBy(two.secret, both)]).toEqual([true, true])
    await send('DELETE', '/signing-secret', of)
    const [newer] = await deliver()
    expect([isSignedBy(one.secret, newer), isSignedBy(two.secret, newer)]).toEqual([false, true])
    expect(await send('DELETE', '/signing-secret', of)).toMatchObject(errorReply(404, 'signing_secret_not_found'))
    const shown = await content('GET', '/signing-secrets', of)
    expect(shown).toEqual({ signing_secrets: [{ target: 'handler', secrets: 1 }] })
    await send('DELETE', '/signing-secret', { ...of, which: 'all' })
    expect(await content('GET', '/signing-secrets', of)).toEqual({ signing_secrets: [] })
    expect((await deliver())[0].headers['webhook-signature']).toBeUndefined()
  })

  it('keep the newest two, also of concurrent calls, and also of a subscription', async () => {
    const { collection, add } = await signing()
    const added = await Promise.all([add(), add(), add()])
    expect(added.map(({ secrets }) => secrets).toSorted()).toEqual([1, 2, 2])
    const { subscription } = await content('POST', '/subscription', { collection: collection.name, url: nowhere })
    const { id } = subscription as unknown as Subscribed
    expect(await add({ target: id })).toMatchObject({ target: id, secrets: 2 })
    expect(await send('DELETE', '/signing-secret', { collection: collection.name, target: id })).toMatchObject({
      status: 200,
    })
    expect(await content('GET', '/subscriptions', { collection: collection.name })).toMatchObject({
      subscriptions: [{ id, secrets: 1 }],
    })
  })

  it('need BOX_SECRET_KEY; a second key decrypts secrets of the first', async () => {
    const { collection, add, deliver } = await signing()
    const { secret } = await add()
    const keep = tested.env.BOX_SECRET_KEY
    try {
      tested.env.BOX_SECRET_KEY = `a new key, ${keep}`
      expect(isSignedBy(secret, (await deliver())[0])).toBe(true)
      tested.env.BOX_SECRET_KEY = ''
      const refused = await send('POST', '/signing-secret', { collection: collection.name })
      expect(refused).toMatchObject(errorReply(503, 'not_configured'))
    } finally {
      tested.env.BOX_SECRET_KEY = keep!
    }
  })
})

const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }

describe.each(buses(system))('the replication of subscriptions on $dialect', (tested) => {
  it('is covered by the log, which has no readable secret', async () => {
    const { subscribe, collection } = await subscribing(tested)
    const { id, secret } = await subscribe(nowhere, { events: ['a'] })
    const [last] = await tested.bus.db.select({ position: max(tested.bus.changes.position) }).from(tested.bus.changes)
    const page = { collection: 'system', id: last!.position! - 1 }
    const { documents } = await tested.content('GET', '/documents', page)
    const [entry] = documents as unknown as { event: string; data: object }[]
    expect(entry).toMatchObject({ event: 'subscription', data: { id, collection: collection.name, url: nowhere } })
    expect(JSON.stringify(documents)).not.toContain(secret.slice(6))
  })
})
