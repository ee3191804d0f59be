// Tests of the delivery settings of a collection: retention, concurrency and retries of rejections.
import { inArray } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { gauges } from '#bus/metrics'
import { sweepExpiredDocuments } from '#bus/retention'
import { documentsOf } from '#bus/schema'
import { delivering } from './delivering.ts'
import { place } from './place.ts'
import { buses, createCollectionAndUser, target } from './support.ts'

const hourMs = 3_600_000

describe.each(buses())('the settings of a collection on $dialect', (tested) => {
  const { queue, callBack, bus, send, content } = tested

  beforeEach(() => queue.takeTasks())

  it('have defaults, and can be changed and cleared', async () => {
    const { collection } = await createCollectionAndUser(tested, 'async')
    expect(collection).toMatchObject({ retention: null, concurrency: null, retry_rejected: false })
    const settings = { retention: 30, concurrency: 8, retry_rejected: true }
    expect(await content('PATCH', '/collection', { id: collection.id, ...settings })).toMatchObject({
      collection: settings,
    })
    await send('PATCH', '/collection', { id: collection.id, retention: 0 })
    expect(await content('GET', '/collection', { id: collection.id })).toMatchObject({
      collection: { ...settings, retention: null },
    })
    for (const invalid of [{ retention: -1 }, { concurrency: 33 }, { retry_rejected: 'yes' }])
      expect(await send('PATCH', '/collection', { id: collection.id, ...invalid })).toMatchObject({ status: 400 })
  })

  it('spread the documents over as many flow keys as may be delivered at a time', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'async')
    const keysFor = async (concurrency: number) => {
      await send('PATCH', '/collection', { id: collection.id, concurrency })
      const sent = () => ({
        collection: collection.name,
        event: 'e',
        uuid: crypto.randomUUID(),
        data: 1,
        webhook: target('/echo'),
      })
      for (let n = 0; n < 7; n++) await send('POST', '/document', sent(), client.secret)
      return new Set(queue.takeTasks().map(({ key }) => key)).size
    }
    expect(await keysFor(0)).toBe(2)
    expect(await keysFor(1)).toBe(1)
    expect(await keysFor(5)).toBe(5)
  })

  it('delete documents after `retention` days, which wins over BOX_RETENTION', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    const documents = documentsOf(bus, collection.id)
    for (let n = 0; n < 4; n++)
      await send(
        'POST',
        '/document',
        { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: n },
        client.secret,
      )
    const now = new Date()
    const set = (ids: number[], days: number) =>
      bus.db
        .update(documents)
        .set({ created_at: new Date(now.getTime() - days * 24 * hourMs) })
        .where(inArray(documents.id, ids))
    await set([1], 8)
    await set([2, 3], 6)
    await sweepExpiredDocuments(tested.env, now)
    expect(await bus.db.select().from(documents)).toHaveLength(4)
    await send('PATCH', '/collection', { id: collection.id, retention: 7 })
    await sweepExpiredDocuments({ ...tested.env, BOX_RETENTION: '60' }, now)
    expect((await bus.db.select().from(documents)).map(({ id }) => id).toSorted()).toEqual([2, 3, 4])
  })

  it('retry answers 4xx hourly for 75 hours, if `retry_rejected` is set, and then send them to the webhook', async () => {
    const [handler, webhook] = [place({ statuses: '404' }), place()]
    const { posted, read, set, collection } = await delivering(tested, handler.url, webhook.url)
    await send('PATCH', '/collection', { id: collection.id, retry_rejected: true })
    await callBack(await posted())
    expect(await read()).toMatchObject({ state: 'waiting', attempts: 1, response: { status_code: 404 } })
    const [later] = queue.takeTasks()
    expect(later!.delay).toBeGreaterThanOrEqual(3_600)
    expect(later!.delay).toBeLessThanOrEqual(4_320)
    await set({ next_at: new Date(), attempts: 74 })
    await callBack(later!)
    expect(await read()).toMatchObject({ state: 'waiting', attempts: 75 })
    expect(await webhook.visits()).toEqual([])
    await set({ next_at: new Date() })
    await callBack(queue.takeTasks()[0]!)
    expect(await read()).toMatchObject({ state: 'rejected', attempts: 76, response: { status_code: 404 } })
    expect(await webhook.visits()).toHaveLength(1)
  })

  it('make a waiting rejection final when `retry_rejected` is unset', async () => {
    const [handler, webhook] = [place({ statuses: '404' }), place({ statuses: '500,200' })]
    const { posted, read, set, collection } = await delivering(tested, handler.url, webhook.url)
    await send('PATCH', '/collection', { id: collection.id, retry_rejected: true })
    await callBack(await posted())
    await send('PATCH', '/collection', { id: collection.id, retry_rejected: false })
    await set({ next_at: new Date() })
    await callBack(queue.takeTasks()[0]!)
    expect(await read()).toMatchObject({ state: 'waiting', attempts: 1, webhook_attempts: 1 })
    await send('PATCH', '/collection', { id: collection.id, retry_rejected: true })
    await set({ next_at: new Date() })
    await callBack(queue.takeTasks()[0]!)
    expect(await read()).toMatchObject({ state: 'rejected', attempts: 1, webhook_attempts: 2 })
    expect(await handler.visits()).toHaveLength(1)
  })

  it('do not change the gauge of waiting documents', async () => {
    const { posted, collection } = await delivering(tested, target('/echo'), target('/echo'))
    const task = await posted()
    const waiting = async () => {
      const [gauge] = await gauges(tested.env)
      return gauge!.samples.find(({ labels }) => labels?.collection === collection.name)?.value
    }
    expect(await waiting()).toBe(1)
    await callBack(task)
    expect(await waiting()).toBe(0)
  })

  it('have a gauge for each of many collections', async () => {
    for (let n = 0; n < 12; n++) await createCollectionAndUser(tested, 'async')
    const [gauge] = await gauges(tested.env)
    expect(gauge!.samples.length).toBeGreaterThanOrEqual(12)
  })
})
