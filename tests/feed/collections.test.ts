// Tests creating collections of the feed, also concurrently and after a crash.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { collectionId, createCollection } from '#feed/collections'
import { addRecords, tableOf } from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

describe.each(databases)('collections on $dialect', (database) => {
  const feed = open(database, schema)

  it('have separate tables', async () => {
    await createCollection(feed, 'one')
    await createCollection(feed, 'two')
    const [one, two] = [await tableOf(feed, 'one'), await tableOf(feed, 'two')]
    await addRecords(feed, one, [{ recipient: 'ann' }])
    expect(await feed.db.$count(one.records)).toBe(1)
    expect(await feed.db.$count(two.records)).toBe(0)
  })

  it('are created once by concurrent and repeated calls', async () => {
    await Promise.all(Array.from({ length: 10 }, () => createCollection(feed, 'again')))
    expect(await feed.db.$count(feed.collections, eq(feed.collections.name, 'again'))).toBe(1)
  })

  it('do not exist before they are created', async () => {
    await expect(collectionId(feed, 'nothing')).rejects.toMatchObject({ code: 'collection_not_found' })
    await createCollection(feed, 'nothing')
    expect(await collectionId(feed, 'nothing')).toEqual(expect.any(Number))
  })

  it('are completed by the next call after a crash', async () => {
    await feed.db.insert(feed.collections).values({ name: 'half', is_ready: false })
    await expect(tableOf(feed, 'half')).rejects.toMatchObject({ code: 'collection_not_found' })
    await createCollection(feed, 'half')
    await addRecords(feed, await tableOf(feed, 'half'), [{ recipient: 'ann' }])
  })
})
