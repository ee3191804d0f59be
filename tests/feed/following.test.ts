import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import type { Shelf } from '#feed/filter'
import { Following } from '#feed/following'
import { markAllRead, markRecord } from '#feed/reading'
import { addRecords, shelfOf } from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

describe.each(databases)('following a recipient on $dialect', (database) => {
  const feed = open(database, schema)
  let shelf: Shelf

  beforeAll(async () => {
    await createCollection(feed, 'news')
    shelf = await shelfOf(feed, 'news')
  })

  const events = async (following: Following, told?: Parameters<Following['catchUp']>[0]) => {
    const found: { event: string; id: string; data: { id: number | null; until?: number } }[] = []
    for await (const text of following.catchUp(told)) {
      const [, event, id, data] = text.match(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n$/)!
      found.push({ event: event!, id: id!, data: JSON.parse(data!) })
    }
    return found
  }

  it('tells what is new, in order, once', async () => {
    const following = new Following(feed, shelf, 'ann', { record: 0, change: 0 })
    expect(await events(following)).toEqual([])
    const [a, b] = await addRecords(feed, shelf, [{ recipient: 'ann' }, { recipient: 'ann' }, { recipient: 'bob' }])
    const change = await markRecord(feed, shelf, a!.id, true)
    expect(await events(following)).toMatchObject([
      { event: 'read', id: `0.${change.id}`, data: { id: a!.id, is_read: true } },
      { event: 'record', id: `${a!.id}.${change.id}`, data: { id: a!.id, is_read: true } },
      { event: 'record', id: `${b!.id}.${change.id}`, data: { id: b!.id, is_read: false } },
    ])
    expect(await events(following, { records: [a!.id, b!.id], changes: [change.id] })).toEqual([])
    await markAllRead(feed, shelf, 'ann')
    const [c] = await addRecords(feed, shelf, [{ recipient: 'ann' }])
    expect(await events(following)).toMatchObject([
      { event: 'read', data: { id: null, is_read: true, until: expect.toSatisfy((id) => id >= b!.id && id < c!.id) } },
      { event: 'record', data: { id: c!.id, is_read: false } },
    ])
  })

  it('tells late what was committed late, which only Postgres does', async () => {
    const early = await addRecords(
      feed,
      shelf,
      Array.from({ length: 100 }, () => ({ recipient: 'cat' })),
    )
    const [late] = await addRecords(feed, shelf, [{ recipient: 'cat' }])
    const ids = early.map(({ id }) => id)
    const following = new Following(feed, shelf, 'cat', { record: ids.at(-1)!, change: 0 })
    expect(await events(following)).toMatchObject([{ data: { id: late!.id } }])
    const told = await events(following, { records: [...ids, late!.id], changes: [] })
    expect(told.map(({ data }) => data.id)).toEqual(feed.dialect === 'd1' ? [] : ids)
    expect(await events(following, { records: ids, changes: [] })).toEqual([])
  })

  it('tells the next time of what could not be read, late or not', async () => {
    const early = await addRecords(feed, shelf, [{ recipient: 'fail' }, { recipient: 'fail' }])
    const ids = early.map(({ id }) => id)
    let isDown = false
    const db = new Proxy(feed.db, {
      get(target, name, receiver) {
        if (isDown) throw new Error('The database is down')
        return Reflect.get(target, name, receiver)
      },
    })
    const following = new Following({ ...feed, db }, shelf, 'fail', { record: ids[1]!, change: 0 })
    const [fresh] = await addRecords(feed, shelf, [{ recipient: 'fail' }])
    isDown = true
    await expect(events(following, { records: [...ids, fresh!.id], changes: [] })).rejects.toThrow('is down')
    await expect(events(following)).rejects.toThrow('is down')
    isDown = false
    const told = (await events(following)).map(({ data }) => data.id)
    expect(told).toEqual(feed.dialect === 'd1' ? [fresh!.id] : [fresh!.id, ...ids])
    expect(await events(following)).toEqual([])
  })

  it('tells of nobody else’s records', async () => {
    const [other] = await addRecords(feed, shelf, [{ recipient: 'eve' }])
    const following = new Following(feed, shelf, 'dan', { record: 0, change: 0 })
    expect(await events(following, { records: [other!.id], changes: [] })).toEqual([])
  })

  it('reads on until there is no more', async () => {
    await addRecords(
      feed,
      shelf,
      Array.from({ length: 1_200 }, () => ({ recipient: 'many' })),
    )
    const following = new Following(feed, shelf, 'many', { record: 0, change: 0 })
    expect(await events(following)).toHaveLength(1_200)
  })
})
