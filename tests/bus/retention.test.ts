import { asc, inArray, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sweepExpiredDocuments } from '#bus/retention'
import { type Documents, documentsOf } from '#bus/schema'
import { databases } from '../support/databases.ts'
import { buses, busOn, createCollectionAndUser, errorReply } from './support.ts'

const now = new Date()
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

describe.each(buses({ BOX_RETENTION: '60' }))('BOX_RETENTION on $dialect', (tested) => {
  const { bus, content, env } = tested
  const sweep = () => sweepExpiredDocuments(env, now)

  const collectionOf = async (type: 'async' | 'storage') => {
    const { collection, client } = await createCollectionAndUser(tested, type)
    const documents = documentsOf(bus, collection.id)
    const post = async (uuid = crypto.randomUUID()) => {
      const sent = { collection: collection.name, event: 'e', uuid, data: 1, webhook: 'http://127.0.0.1:1/' }
      const { document } = await content('POST', '/document', sent, client.secret)
      return (document as unknown as { id: number }).id
    }
    const set = (ids: number[], columns: Partial<Documents['$inferInsert']>) =>
      bus.db.update(documents).set(columns).where(inArray(documents.id, ids))
    const ids = async () =>
      (await bus.db.select({ id: documents.id }).from(documents).orderBy(asc(documents.id))).map(({ id }) => id)
    return { collection, documents, post, set, ids }
  }

  it('deletes stored documents that are older', async () => {
    const { post, set, ids } = await collectionOf('storage')
    const [one, two, three, four] = [await post(), await post(), await post(), await post()]
    await set([one!, two!], { created_at: secondsAgo(61) })
    await set([three!], { created_at: secondsAgo(59) })
    await sweep()
    expect(await ids()).toEqual([three, four])
  })

  it('keeps the newest document, so that no id is given twice', async () => {
    const { post, set, ids } = await collectionOf('storage')
    const all = [await post(), await post()]
    await set(all, { created_at: secondsAgo(61) })
    await sweep()
    expect(await ids()).toEqual([all[1]])
    const next = await post()
    expect(next).toBeGreaterThan(all[1]!)
    await sweep()
    expect(await ids()).toEqual([next])
  })

  it('keeps documents that are still to be delivered, or are being delivered', async () => {
    const { post, set, ids } = await collectionOf('async')
    const [waiting, leased, delivered, failed, last] = [await post(), await post(), await post(), await post(), await post()] // biome-ignore format: one line
    const ended = { next_at: null, created_at: secondsAgo(61) }
    await set([waiting], { created_at: secondsAgo(3_600) })
    await set([leased], { ...ended, lease_until: secondsAgo(-60) })
    await set([delivered], { ...ended, state: 'delivered' })
    await set([failed], { ...ended, state: 'failed', lease_until: secondsAgo(1) })
    await sweep()
    expect(await ids()).toEqual([waiting, leased, last])
  })

  it('deletes thousands in one sweep, of every collection, also by concurrent sweeps', async () => {
    const [many, few] = [await collectionOf('storage'), await collectionOf('storage')]
    const text = (value: string) => sql`CAST(${value} AS text)`
    const made = sql.param(secondsAgo(61), many.documents.created_at)
    await bus.run(sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO ${many.documents} (event, uuid, data, created_at, attempts, webhook_attempts)
      SELECT ${text('e')}, ${text('u')} || i, ${text('1')}, ${made}, 0, 0 FROM n`)
    const old = await few.post()
    const [last, young] = [await many.post(), await few.post()]
    await few.set([old], { created_at: secondsAgo(61) })
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect([await many.ids(), await few.ids()]).toEqual([[last], [young]])
  })

  it('continues after a collection whose table is gone', async () => {
    const [gone, other] = [await collectionOf('storage'), await collectionOf('storage')]
    const old = await other.post()
    const young = await other.post()
    await other.set([old], { created_at: secondsAgo(61) })
    await bus.run(sql`DROP TABLE ${gone.documents}`)
    await sweep()
    expect(await other.ids()).toEqual([young])
    await bus.db.delete(bus.collections).where(inArray(bus.collections.id, [gone.collection.id]))
  })

  it('takes a uuid again after its document was deleted', async () => {
    const { post, set, ids } = await collectionOf('storage')
    const uuid = crypto.randomUUID()
    const first = await post(uuid)
    const last = await post()
    await set([first], { created_at: secondsAgo(61) })
    await sweep()
    const again = await post(uuid)
    expect(again).toBeGreaterThan(last)
    expect(await ids()).toEqual([last, again])
  })

  it('deletes nothing if it is not set', async () => {
    const { post, set, ids } = await collectionOf('storage')
    const all = [await post(), await post()]
    await set(all, { created_at: new Date(0) })
    await sweepExpiredDocuments({ ...env, BOX_RETENTION: '' }, now)
    expect(await ids()).toEqual(all)
  })
})

it.each(['0', '-1', '1.5', '30d', '99999999999'])('rejects all requests with BOX_RETENTION=%s', async (value) => {
  const refused = await busOn(databases[0]!, { BOX_RETENTION: value }).send('GET', '/collections')
  expect(refused).toMatchObject(errorReply(503, 'not_configured'))
  expect(refused.json.message).toContain('BOX_RETENTION')
})
