// Tests the cursor that reads the events of a stream from the database, each once and in order.
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import type { CollectionTable } from '#feed/conditions'
import { markAllRead, markRecord } from '#feed/read-flags'
import { addRecords, changeRecords, deleteRecord, deleteRecords, tableOf } from '#feed/records'
import { schema } from '#feed/schema'
import { newestPosition, StreamCursor } from '#feed/stream-cursor'
import { databases } from '../support/databases.ts'

describe.each(databases)('the cursor of a stream on $dialect', (database) => {
  const feed = open(database, schema)
  let table: CollectionTable

  beforeAll(async () => {
    await createCollection(feed, 'news')
    table = await tableOf(feed, 'news')
  })

  const events = async (cursor: StreamCursor, notice?: Parameters<StreamCursor['catchUp']>[0]) => {
    const found: { event: string; id: string; data: { id: number | null; until?: number } }[] = []
    for await (const text of cursor.catchUp(notice)) {
      const [, event, id, data] = text.match(/^event: (.*)\nid: (.*)\ndata: (.*)\n\n$/)!
      found.push({ event: event!, id: id!, data: JSON.parse(data!) })
    }
    return found
  }

  it('yields new records and changes once, in order', async () => {
    const cursor = new StreamCursor(feed, table, 'ann', { record: 0, change: 0 })
    expect(await events(cursor)).toEqual([])
    const [a, b] = await addRecords(feed, table, [{ recipient: 'ann' }, { recipient: 'ann' }, { recipient: 'bob' }])
    const change = await markRecord(feed, table, { id: a!.id }, true)
    expect(await events(cursor)).toMatchObject([
      { event: 'read', id: `0.${change.id}`, data: { id: a!.id, is_read: true } },
      { event: 'record', id: `${a!.id}.${change.id}`, data: { id: a!.id, is_read: true } },
      { event: 'record', id: `${b!.id}.${change.id}`, data: { id: b!.id, is_read: false } },
    ])
    expect(await events(cursor, { records: [a!.id, b!.id], changes: [change.id] })).toEqual([])
    await markAllRead(feed, table, 'ann')
    const [c] = await addRecords(feed, table, [{ recipient: 'ann' }])
    expect(await events(cursor)).toMatchObject([
      { event: 'read', data: { id: null, is_read: true, until: expect.toSatisfy((id) => id >= b!.id && id < c!.id) } },
      { event: 'record', data: { id: c!.id, is_read: false } },
    ])
  })

  const since = async (recipient: string) =>
    new StreamCursor(feed, table, recipient, await newestPosition(feed, table, recipient))

  it('yields changed, deleted and moved records, live and on resume', async () => {
    const [kept, gone] = await addRecords(feed, table, [{ recipient: 'dan' }, { recipient: 'dan', thread: 'x' }])
    const [moved] = await addRecords(feed, table, [{ recipient: 'carl', thread: 'move' }])
    const [last] = await addRecords(feed, table, [{ recipient: 'dan' }])
    const [live, later, carl] = [await since('dan'), await since('dan'), await since('carl')]

    await changeRecords(feed, table, { where: { recipient: 'dan', thread: 'x' }, set: { title: 'New' } })
    await deleteRecord(feed, table, { id: gone!.id })
    await changeRecords(feed, table, { where: { thread: 'move' }, set: { recipient: 'dan' } })
    const expected = [
      { event: 'deleted', data: { id: gone!.id } },
      { event: 'record', data: { id: moved!.id, recipient: 'dan' } },
    ]

    expect(await events(live)).toMatchObject(expected)
    await deleteRecords(feed, table, 'carl')
    expect(await events(carl)).toMatchObject([{ event: 'deleted', data: { id: moved!.id } }])
    await changeRecords(feed, table, { where: { thread: 'move' }, set: { title: 'Title' } })
    expect(await events(live)).toMatchObject([{ event: 'updated', data: { id: moved!.id, title: 'Title' } }])
    expect(await events(later)).toMatchObject([
      ...expected,
      { event: 'updated', data: { id: moved!.id, title: 'Title' } },
    ])
    const positions = (await events(await since('dan'))).map(({ id }) => id)
    expect([positions, kept!.id < last!.id]).toEqual([[], true])
  })

  it('yields a record that changes its recipient twice, and a new record once', async () => {
    const cursor = await since('rik')
    const [record] = await addRecords(feed, table, [{ recipient: 'rik', thread: 'boomerang' }])
    const move = (recipient: string) =>
      changeRecords(feed, table, { where: { thread: 'boomerang' }, set: { recipient } })
    await changeRecords(feed, table, { where: { thread: 'boomerang' }, set: { title: 'Early' } })
    expect(await events(cursor)).toMatchObject([{ event: 'record', data: { id: record!.id, title: 'Early' } }])
    await move('sue')
    expect(await events(cursor)).toMatchObject([{ event: 'deleted', data: { id: record!.id } }])
    await move('rik')
    expect(await events(cursor)).toMatchObject([{ event: 'record', data: { id: record!.id } }])
  })

  it('yields events for the old and the new name of a renamed user', async () => {
    await addRecords(feed, table, [
      { recipient: 'old', sender: 'x' },
      { recipient: 'peer', sender: 'old' },
    ])
    const [old, peer, fresh] = [await since('old'), await since('peer'), await since('fresh')]
    expect(await changeRecords(feed, table, { where: { user: 'old' }, set: { user: 'fresh' } })).toMatchObject({
      updated: 2,
    })
    expect((await events(old)).map(({ event }) => event)).toEqual(['deleted'])
    expect(await events(peer)).toMatchObject([{ event: 'updated', data: { sender: 'fresh' } }])
    expect(await events(fresh)).toMatchObject([{ event: 'record', data: { recipient: 'fresh' } }])
  })

  it.each([100, 101])('yields events for %d changed and deleted records of a recipient', async (count) => {
    const recipient = `many${count}`
    await addRecords(
      feed,
      table,
      Array.from({ length: count }, () => ({ recipient })),
    )
    const cursor = await since(recipient)
    const names = async () => (await events(cursor)).map(({ event }) => event)
    await changeRecords(feed, table, { where: { recipient }, set: { title: 'x' } })
    expect(await names()).toEqual(count > 100 ? ['reset'] : Array(count).fill('updated'))
    await deleteRecords(feed, table, recipient)
    expect(await names()).toEqual(count > 100 ? ['reset'] : Array(count).fill('deleted'))
  })

  it('yields nothing for calls without effect', async () => {
    const cursor = await since('none')
    await changeRecords(feed, table, { where: { recipient: 'none' }, set: { title: 'x' } })
    await deleteRecords(feed, table, 'none')
    await expect(deleteRecord(feed, table, { id: 999_999 })).rejects.toMatchObject({ code: 'record_not_found' })
    expect(await events(cursor)).toEqual([])
  })

  it('yields rows that Postgres commits late', async () => {
    const early = await addRecords(
      feed,
      table,
      Array.from({ length: 100 }, () => ({ recipient: 'cat' })),
    )
    const [late] = await addRecords(feed, table, [{ recipient: 'cat' }])
    const ids = early.map(({ id }) => id)
    const cursor = new StreamCursor(feed, table, 'cat', { record: ids.at(-1)!, change: 0 })
    expect(await events(cursor)).toMatchObject([{ data: { id: late!.id } }])
    const sent = await events(cursor, { records: [...ids, late!.id], changes: [] })
    expect(sent.map(({ data }) => data.id)).toEqual(feed.dialect === 'd1' ? [] : ids)
    expect(await events(cursor, { records: ids, changes: [] })).toEqual([])
  })

  it('yields rows at the next call if the database was down', async () => {
    const early = await addRecords(feed, table, [{ recipient: 'fail' }, { recipient: 'fail' }])
    const ids = early.map(({ id }) => id)
    let isDown = false
    const db = new Proxy(feed.db, {
      get(target, name, receiver) {
        if (isDown) throw new Error('The database is down')
        return Reflect.get(target, name, receiver)
      },
    })
    const cursor = new StreamCursor({ ...feed, db }, table, 'fail', { record: ids[1]!, change: 0 })
    const [fresh] = await addRecords(feed, table, [{ recipient: 'fail' }])
    isDown = true
    await expect(events(cursor, { records: [...ids, fresh!.id], changes: [] })).rejects.toThrow('is down')
    await expect(events(cursor)).rejects.toThrow('is down')
    isDown = false
    const sent = (await events(cursor)).map(({ data }) => data.id)
    expect(sent).toEqual(feed.dialect === 'd1' ? [fresh!.id] : [fresh!.id, ...ids])
    expect(await events(cursor)).toEqual([])
  })

  it('yields no records of other recipients', async () => {
    const [other] = await addRecords(feed, table, [{ recipient: 'eve' }])
    const cursor = new StreamCursor(feed, table, 'nobody', { record: 0, change: 0 })
    expect(await events(cursor, { records: [other!.id], changes: [] })).toEqual([])
  })

  it('reads all pages', async () => {
    await addRecords(
      feed,
      table,
      Array.from({ length: 1_200 }, () => ({ recipient: 'many' })),
    )
    const cursor = new StreamCursor(feed, table, 'many', { record: 0, change: 0 })
    expect(await events(cursor)).toHaveLength(1_200)
  })
})
