import { env } from 'cloudflare:workers'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#feed/bindings'
import { createCollection } from '#feed/collections'
import type { CollectionTable } from '#feed/conditions'
import { addRecords, tableOf } from '#feed/records'
import { sweepRecords } from '#feed/retention'
import { schema } from '#feed/schema'
import Feed from '../../workers/feed/index.ts'
import { databases } from '../support/databases.ts'
import { errorReply } from '../support/refusals.ts'
import { boundOn, startWith } from '../support/requests.ts'

const now = new Date('2026-02-01T00:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

describe.each(databases)('FEED_RETENTION on $dialect', (database) => {
  const feed = open(database, schema)
  const notified: string[] = []
  const audience = { notify: async ({ recipient }: { recipient: string }) => void notified.push(recipient) }
  const AUDIENCE = { getByName: () => audience }
  const settings = boundOn(database, { FEED_RETENTION: '60', AUDIENCE }) as Env
  let table: CollectionTable

  beforeEach(async () => {
    const name = `c${crypto.randomUUID().slice(0, 8)}`
    await createCollection(feed, name)
    table = await tableOf(feed, name)
    await feed.db.delete(feed.changes)
    notified.length = 0
  })

  const add = (...ages: number[]) =>
    addRecords(
      feed,
      table,
      ages.map((age) => ({ recipient: 'ann', title: String(age), created_at: secondsAgo(age) })),
    )
  const titles = async () =>
    (await feed.db.select().from(table.records).orderBy(asc(table.records.id))).map(({ title }) => title)

  it('deletes records that are older, and no others', async () => {
    await add(3_600, 61, 60, 59, 0)
    await sweepRecords(settings, now)
    expect(await titles()).toEqual(['60', '59', '0'])
    await sweepRecords(settings, now)
    expect(await titles()).toEqual(['60', '59', '0'])
  })

  it('deletes several batches in one sweep', async () => {
    await add(...Array.from({ length: 2_300 }, () => 61), 1)
    await sweepRecords(settings, now)
    expect(await titles()).toEqual(['1'])
  })

  it('deletes expired records behind records with a future time', async () => {
    await add(...Array.from({ length: 1_100 }, () => -3_600), 61, 1)
    await sweepRecords(settings, now)
    expect((await titles()).filter((title) => title !== '-3600')).toEqual(['1'])
  })

  it('deletes each record once in concurrent sweeps, while others are added', async () => {
    await add(...Array.from({ length: 300 }, () => 61))
    await Promise.all([sweepRecords(settings, now), sweepRecords(settings, now), add(5), add(4)])
    expect((await titles()).toSorted()).toEqual(['4', '5'])
    const logged = await feed.db.select().from(feed.changes).where(eq(feed.changes.collection_id, table.id))
    expect(logged.filter(({ event }) => event === 'deleted' || event === 'reset')).toHaveLength(1)
  })

  it('tells subscribers', async () => {
    const [old] = await add(61)
    await feed.db.insert(feed.listeners).values({ collection_id: table.id, recipient: 'ann' })
    await sweepRecords(settings, now)
    const logged = await feed.db.select().from(feed.changes).where(eq(feed.changes.collection_id, table.id))
    expect(logged).toMatchObject([{ recipient: 'ann', record_id: old!.id, event: 'deleted' }])
    expect(notified).toEqual(['ann'])
  })

  it('continues with the other collections after one whose table is gone', async () => {
    const others = await Promise.all(
      ['a', 'z'].map(async (letter) => {
        const name = `${letter}${crypto.randomUUID().slice(0, 8)}`
        await createCollection(feed, name)
        return tableOf(feed, name)
      }),
    )
    const [gone] = others
    await add(61, 1)
    await addRecords(feed, others[1]!, [{ recipient: 'ann', title: 'old', created_at: secondsAgo(61) }])
    await feed.run(sql`DROP TABLE ${gone!.records}`)
    await sweepRecords(settings, now)
    expect(await titles()).toEqual(['1'])
    expect(await feed.db.select().from(others[1]!.records)).toEqual([])
    await feed.db.delete(feed.collections).where(eq(feed.collections.id, gone!.id))
  })

  it('keeps all records if it is not set', async () => {
    await add(86_400 * 3_650)
    for (const FEED_RETENTION of [undefined, '']) await sweepRecords({ ...settings, FEED_RETENTION } as Env, now)
    expect(await titles()).toEqual([String(86_400 * 3_650)])
  })
})

it.each(['0', '-1', '1.5', '30d', '99999999999'])('rejects all requests with FEED_RETENTION=%s', async (value) => {
  const { send } = startWith(Feed, { ...env, FEED_RETENTION: value })
  const refused = await send('GET', '/collections')
  expect(refused).toMatchObject(errorReply(503, 'not_configured'))
  expect(refused.json.message).toContain('FEED_RETENTION')
})
