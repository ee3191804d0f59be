// Tests the lists for operators: collections, and the newest records of all recipients.
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection, listCollections } from '#feed/collections'
import { markAllRead, markRecord } from '#feed/read-flags'
import { addRecords, listNewest, tableOf } from '#feed/records'
import { schema } from '#feed/schema'
import Feed from '../../workers/feed/index.ts'
import { databases } from '../support/databases.ts'
import { ask, boundOn, startWith } from '../support/requests.ts'

describe.each(databases)('lists for an operator on $dialect', (database) => {
  const feed = open(database, schema)
  const { fetch } = startWith(Feed, boundOn(database))
  const get = (path: string, params?: object) => ask('GET', path, params, fetch)
  const names = async (page: object) =>
    (await listCollections(feed, { limit: 100, offset: 0, count: false, ...page })).collections.map(({ name }) => name)

  beforeAll(async () => {
    for (const name of ['news', 'alerts', 'empty']) await createCollection(feed, name)
    await feed.db.insert(feed.collections).values({ name: 'half', is_ready: false })
  })

  it('lists collections by name', async () => {
    expect(await names({})).toEqual(['alerts', 'empty', 'news'])
    expect(await names({ offset: 1, limit: 1 })).toEqual(['empty'])
    const { nb_results } = await listCollections(feed, { limit: 1, offset: 0, count: true })
    expect(nb_results).toBe(3)
  })

  it('shows the creation time of a collection, null if unknown', async () => {
    await feed.db.insert(feed.collections).values({ name: 'old', is_ready: true })
    const { status, json } = await get('/collections', { count: true })
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const created = ['alerts', 'empty', 'news'].map((name) => ({ name, created_at }))
    const collections = [...created, { name: 'old', created_at: null }]
    expect([status, json.content]).toEqual([200, { collections, nb_results: 4 }])
  })

  it('lists the newest records of all recipients in pages', async () => {
    const table = await tableOf(feed, 'news')
    const recipients = ['ann', 'bob', 'ann', 'eve']
    const added = await addRecords(
      feed,
      table,
      recipients.map((recipient) => ({ recipient, title: recipient })),
    )
    await markAllRead(feed, table, 'ann')
    await markRecord(feed, table, { id: added[1]!.id }, true)

    const first = await listNewest(feed, table, { limit: 3 })
    const second = await listNewest(feed, table, { limit: 3, id: first.records.at(-1)!.id })

    const seen = [...first.records, ...second.records].map(({ id, recipient, is_read }) => [id, recipient, is_read])
    expect(seen).toEqual(added.map(({ id, recipient }) => [id, recipient, recipient !== 'eve']).reverse())
  })

  it('ends a page early at its size limit and keeps records whole', async () => {
    const table = await tableOf(feed, 'alerts')
    const payload = JSON.stringify('x'.repeat(900_000))
    for (let i = 0; i < 12; i++) await addRecords(feed, table, [{ recipient: String(i), payload }])

    const first = await listNewest(feed, table, { limit: 25 })
    const second = await listNewest(feed, table, { limit: 25, id: first.records.at(-1)!.id })

    expect([first.records.length, first.has_more, second.records.length, second.has_more]).toEqual([
      9,
      true,
      3,
      undefined,
    ])
    expect(first.records.every((record) => record.payload === payload)).toBe(true)
  })

  it('lists a record in the format of GET /record', async () => {
    const { records } = (await get('/collection/records', { collection: 'news', limit: 1 })).json
      .content as unknown as {
      records: { id: number }[]
    }
    const { record } = (await get('/record', { collection: 'news', id: records[0]!.id })).json.content as unknown as {
      record: object
    }
    expect(records).toEqual([record])
    expect((await get('/collection/records', { collection: 'empty' })).json.content).toEqual({ records: [] })
  })

  it.each([
    ['/collection/records', { collection: 'nothing' }, 404, 'collection_not_found'],
    ['/collection/records', {}, 400, 'validation_failed'],
    ['/collection/records', { collection: 'A' }, 400, 'validation_failed'],
    ['/collection/records', { collection: 'news', limit: 0 }, 400, 'validation_failed'],
    ['/collection/records', { collection: 'news', limit: 1001 }, 400, 'validation_failed'],
    ['/collection/records', { collection: 'news', id: 'x' }, 400, 'validation_failed'],
    ['/collections', { limit: 0 }, 400, 'validation_failed'],
    ['/collections', { offset: -1 }, 400, 'validation_failed'],
  ])('refuses %s with %j', async (path, params, status, status_code) => {
    expect(await get(path, params)).toMatchObject({ status, json: { status: false, status_code } })
  })

  it('returns 401 without credentials', async () => {
    const { send } = startWith(Feed, boundOn(database, { AUTH_TOKENS: 'one' }))
    for (const path of ['/collections', '/collection/records?collection=news']) {
      expect(await send('GET', path)).toMatchObject({ status: 401, json: { status_code: 'unauthorized' } })
      expect(await send('GET', path, undefined, { authorization: 'Bearer one' })).toMatchObject({ status: 200 })
    }
  })
})
