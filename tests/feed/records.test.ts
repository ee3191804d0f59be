import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import { markAllRead, markRecord } from '#feed/reading'
import { addRecords, changeRecords, countRecords, deleteRecords, findRecord, listRecords, shelfOf } from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

describe.each(databases)('records on $dialect', async (database) => {
  const feed = open(database, schema)
  const page = { order: 'desc' as const, limit: 25, offset: 0 }

  it('keeps what it was given', async () => {
    await createCollection(feed, 'news')
    const shelf = await shelfOf(feed, 'news')
    const created_at = new Date('2026-01-02T03:04:05.678Z')
    const [added] = await addRecords(feed, shelf, [
      { recipient: 'ann', title: 'Straße', payload: '{"b":1,"a":[]}', created_at },
    ])
    const kept = {
      id: 1,
      recipient: 'ann',
      sender: null,
      thread: null,
      title: 'Straße',
      text: null,
      image: null,
      payload: '{"b":1,"a":[]}',
      created_at,
    }
    expect(added).toEqual({ ...kept, is_heard: false })
    expect(await findRecord(feed, shelf, 1)).toEqual({ ...kept, is_read: false })
    expect(await listRecords(feed, shelf, { recipient: 'ann', search: 'STRASSE', ...page }, true)).toEqual({
      records: [{ ...kept, is_read: false }],
      nb_results: 1,
    })
    expect(await markRecord(feed, shelf, 1, true)).toMatchObject({ record_id: 1, recipient: 'ann', is_heard: false })
    expect(await countRecords(feed, shelf, { recipient: 'ann', is_read: true })).toBe(1)
    await markAllRead(feed, shelf, 'ann')
    await addRecords(
      feed,
      shelf,
      Array.from({ length: 100 }, () => ({ recipient: 'ann' })),
    )
    expect(await countRecords(feed, shelf, { recipient: 'ann', is_read: false })).toBe(100)
    expect(await changeRecords(feed, shelf, { where: { user: 'ann' }, set: { user: 'bob' } })).toBe(101)
    expect(await countRecords(feed, shelf, { user: 'bob', is_read: false })).toBe(100)
    expect(await deleteRecords(feed, shelf, 'bob')).toBe(101)
  })
})
