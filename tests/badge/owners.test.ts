// Tests the lists of collections and users.
import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { addBadge, deleteBadges } from '#badge/badges'
import { listCollections, listUsers } from '#badge/owners'
import { schema } from '#badge/schema'
import { open, rowsOf } from '#core/db/open'
import Badge from '../../workers/badge/index.ts'
import { databases } from '../support/databases.ts'
import { ask, boundOn, startWith } from '../support/requests.ts'

const all = { limit: 1_000 }

describe.each(databases)('owners of badges on $dialect', (database) => {
  const store = open(database, schema)
  const { fetch } = startWith(Badge, boundOn(database))
  const get = (path: string, params?: object) => ask('GET', path, params, fetch)
  const add = (collection: string, user: string, name: string) =>
    addBadge(store, { collection, user, name, payload: '{}' }, new Date())
  const names = async (page: Parameters<typeof listCollections>[1]) =>
    (await listCollections(store, page)).map(({ name }) => name)

  beforeAll(async () => {
    await add('shop', 'ann', 'inbox/mail')
    await add('shop', 'ann', 'inbox/chat')
    await add('shop', 'Zoë', 'a')
    await add('shop', 'bob', 'a')
    await add('blog', 'ann', 'a')
    await add('Äpfel', "o'neil", 'a/b/c')
  })

  it('lists each collection once, sorted bytewise', async () => {
    expect(await names(all)).toEqual(['blog', 'shop', 'Äpfel'])
  })

  it('counts the badges of each user in a collection', async () => {
    expect(await listUsers(store, { collection: 'shop', ...all })).toEqual([
      { user: 'Zoë', count: 1 },
      { user: 'ann', count: 2 },
      { user: 'bob', count: 1 },
    ])
    expect(await listUsers(store, { collection: 'nothing', ...all })).toEqual([])
  })

  it('returns pages', async () => {
    expect(await names({ limit: 2 })).toEqual(['blog', 'shop'])
    expect(await names({ limit: 2, after: 'shop' })).toEqual(['Äpfel'])
    expect(await names({ limit: 2, after: 'Äpfel' })).toEqual([])
    expect(await listUsers(store, { collection: 'shop', limit: 1, after: 'Zoë' })).toEqual([{ user: 'ann', count: 2 }])
  })

  it('does not list a user without badges', async () => {
    await add('brief', 'ann', 'a/b')
    await deleteBadges(store, { collection: 'brief', user: 'ann', name: 'a/b' })
    expect(await names(all)).not.toContain('brief')
  })

  it('returns the lists over HTTP', async () => {
    expect(await get('/collections', { limit: 1 })).toEqual({
      status: 200,
      json: { status: true, content: { collections: [{ name: 'blog' }] } },
    })
    expect(await get('/users', { collection: 'Äpfel' })).toEqual({
      status: 200,
      json: { status: true, content: { users: [{ user: "o'neil", count: 1 }] } },
    })
  })

  it.each([
    ['/collections', { limit: 0 }, 'limit'],
    ['/collections', { limit: 1001 }, 'limit'],
    ['/collections', { after: 'a'.repeat(256) }, 'after'],
    ['/users', {}, 'collection'],
    ['/users', { collection: 'shop', limit: 'x' }, 'limit'],
  ])('are not shown by %s with %j', async (path, params, field) => {
    expect(await get(path, params)).toMatchObject({
      status: 400,
      json: { status_code: 'validation_failed', errors: { [field]: expect.any(String) } },
    })
  })

  it('returns 401 without credentials', async () => {
    const { send } = startWith(Badge, boundOn(database, { AUTH_TOKENS: 'one' }))
    for (const path of ['/collections', '/users?collection=shop']) {
      expect(await send('GET', path)).toMatchObject({ status: 401, json: { status_code: 'unauthorized' } })
      expect(await send('GET', path, undefined, { authorization: 'Bearer one' })).toMatchObject({ status: 200 })
    }
  })
})

describe.each(databases.filter(({ dialect }) => dialect === 'D1'))('the list of owners on $dialect', (database) => {
  const store = open(database, schema)

  it('seeks in the primary key of the counters', async () => {
    const sent: SQL[] = []
    const run: typeof store.run = (query) => {
      sent.push(query)
      return store.run(query)
    }
    await listCollections({ ...store, run }, all)
    await listUsers({ ...store, run }, { collection: 'shop', ...all })
    const plans = await Promise.all(sent.map((query) => store.run(sql`EXPLAIN QUERY PLAN ${query}`)))
    const plan = plans.flatMap((steps) => rowsOf<{ detail: string }>(steps)).map(({ detail }) => detail)
    const reads = plan.filter((detail) => /badge_counters/.test(detail))
    expect(reads).toHaveLength(5)
    for (const read of reads) expect(read).toMatch(/^SEARCH .* INDEX sqlite_autoindex_badge_counters_1/)
  })
})
