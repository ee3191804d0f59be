import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import type { Shelf } from '#feed/filter'
import { Following, newest } from '#feed/following'
import { markAllRead, markRecord } from '#feed/reading'
import { addRecords, changeRecords, deleteRecord, deleteRecords, shelfOf } from '#feed/records'
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

  const since = async (recipient: string) => new Following(feed, shelf, recipient, await newest(feed, shelf, recipient))

  it('tells of changed, deleted and moved records, live and on resumption', async () => {
    const [kept, gone] = await addRecords(feed, shelf, [{ recipient: 'dan' }, { recipient: 'dan', thread: 'x' }])
    const [moved] = await addRecords(feed, shelf, [{ recipient: 'carl', thread: 'move' }])
    const [last] = await addRecords(feed, shelf, [{ recipient: 'dan' }])
    const [live, later, carl] = [await since('dan'), await since('dan'), await since('carl')]

    await changeRecords(feed, shelf, { where: { recipient: 'dan', thread: 'x' }, set: { title: 'New' } })
    await deleteRecord(feed, shelf, gone!.id)
    await changeRecords(feed, shelf, { where: { thread: 'move' }, set: { recipient: 'dan' } })
    const expected = [
      { event: 'deleted', data: { id: gone!.id } },
      { event: 'record', data: { id: moved!.id, recipient: 'dan' } },
    ]

    expect(await events(live)).toMatchObject(expected)
    await deleteRecords(feed, shelf, 'carl')
    expect(await events(carl)).toMatchObject([{ event: 'deleted', data: { id: moved!.id } }])
    await changeRecords(feed, shelf, { where: { thread: 'move' }, set: { title: 'Title' } })
    expect(await events(live)).toMatchObject([{ event: 'updated', data: { id: moved!.id, title: 'Title' } }])
    expect(await events(later)).toMatchObject([
      ...expected,
      { event: 'updated', data: { id: moved!.id, title: 'Title' } },
    ])
    const positions = (await events(await since('dan'))).map(({ id }) => id)
    expect([positions, kept!.id < last!.id]).toEqual([[], true])
  })

  it('tells a record that moves away and back, and of a new one only once', async () => {
    const following = await since('rik')
    const [record] = await addRecords(feed, shelf, [{ recipient: 'rik', thread: 'boomerang' }])
    const move = (recipient: string) =>
      changeRecords(feed, shelf, { where: { thread: 'boomerang' }, set: { recipient } })
    await changeRecords(feed, shelf, { where: { thread: 'boomerang' }, set: { title: 'Early' } })
    expect(await events(following)).toMatchObject([{ event: 'record', data: { id: record!.id, title: 'Early' } }])
    await move('sue')
    expect(await events(following)).toMatchObject([{ event: 'deleted', data: { id: record!.id } }])
    await move('rik')
    expect(await events(following)).toMatchObject([{ event: 'record', data: { id: record!.id } }])
  })

  it('tells a user who is renamed, and those who get the records', async () => {
    await addRecords(feed, shelf, [
      { recipient: 'old', sender: 'x' },
      { recipient: 'peer', sender: 'old' },
    ])
    const [old, peer, fresh] = [await since('old'), await since('peer'), await since('fresh')]
    expect(await changeRecords(feed, shelf, { where: { user: 'old' }, set: { user: 'fresh' } })).toMatchObject({
      updated: 2,
    })
    expect((await events(old)).map(({ event }) => event)).toEqual(['deleted'])
    expect(await events(peer)).toMatchObject([{ event: 'updated', data: { sender: 'fresh' } }])
    expect(await events(fresh)).toMatchObject([{ event: 'record', data: { recipient: 'fresh' } }])
  })

  it.each([100, 101])('tells of %d changed and deleted records of a recipient', async (count) => {
    const recipient = `many${count}`
    await addRecords(
      feed,
      shelf,
      Array.from({ length: count }, () => ({ recipient })),
    )
    const following = await since(recipient)
    const names = async () => (await events(following)).map(({ event }) => event)
    await changeRecords(feed, shelf, { where: { recipient }, set: { title: 'x' } })
    expect(await names()).toEqual(count > 100 ? ['reset'] : Array(count).fill('updated'))
    await deleteRecords(feed, shelf, recipient)
    expect(await names()).toEqual(count > 100 ? ['reset'] : Array(count).fill('deleted'))
  })

  it('tells nothing of what changes nothing', async () => {
    const following = await since('none')
    await changeRecords(feed, shelf, { where: { recipient: 'none' }, set: { title: 'x' } })
    await deleteRecords(feed, shelf, 'none')
    await expect(deleteRecord(feed, shelf, 999_999)).rejects.toMatchObject({ code: 'record_not_found' })
    expect(await events(following)).toEqual([])
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
    const following = new Following(feed, shelf, 'nobody', { record: 0, change: 0 })
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
