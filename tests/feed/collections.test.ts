import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { collectionId, createCollection } from '#feed/collections'
import { addRecords, shelfOf } from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

describe.each(databases)('collections on $dialect', (database) => {
  const feed = open(database, schema)

  it('have tables of their own', async () => {
    await createCollection(feed, 'one')
    await createCollection(feed, 'two')
    const [one, two] = [await shelfOf(feed, 'one'), await shelfOf(feed, 'two')]
    await addRecords(feed, one, [{ recipient: 'ann' }])
    expect(await feed.db.$count(one.records)).toBe(1)
    expect(await feed.db.$count(two.records)).toBe(0)
  })

  it('are made once, however often and at a time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => createCollection(feed, 'again')))
    expect(await feed.db.$count(feed.collections, eq(feed.collections.name, 'again'))).toBe(1)
  })

  it('are not there until they are made', async () => {
    await expect(collectionId(feed, 'nothing')).rejects.toMatchObject({ code: 'collection_not_found' })
    await createCollection(feed, 'nothing')
    expect(await collectionId(feed, 'nothing')).toEqual(expect.any(Number))
  })

  it('are completed after a crash between name and table', async () => {
    await feed.db.insert(feed.collections).values({ name: 'half', is_ready: false })
    await expect(shelfOf(feed, 'half')).rejects.toMatchObject({ code: 'collection_not_found' })
    await createCollection(feed, 'half')
    await addRecords(feed, await shelfOf(feed, 'half'), [{ recipient: 'ann' }])
  })
})
