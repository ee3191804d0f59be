// Tests the SQL on records of the feed: adding, filtering, searching, changing and deleting.
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import type { CollectionTable } from '#feed/conditions'
import { markAllRead, markRecord } from '#feed/read-flags'
import * as records from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

const page = { order: 'desc' as 'asc' | 'desc', limit: 1_000, offset: 0 }

describe.each(databases)('records on $dialect', (database) => {
  const feed = open(database, schema)
  let table: CollectionTable

  beforeAll(async () => {
    await createCollection(feed, 'news')
    table = await records.tableOf(feed, 'news')
  })

  const add = (...contents: Parameters<typeof records.addRecords>[2]) => records.addRecords(feed, table, contents)
  const list = async (
    filter: Omit<Parameters<typeof records.listRecords>[2], keyof typeof page> & Partial<typeof page>,
  ) => (await records.listRecords(feed, table, { ...page, ...filter })).records
  const titles = async (...[filter]: Parameters<typeof list>) => (await list(filter)).map(({ title }) => title)
  const unread = (recipient: string) => records.countRecords(feed, table, { recipient, is_read: false })
  const read = (recipient: string) => records.countRecords(feed, table, { recipient, is_read: true })

  it('keep all fields', async () => {
    const content = {
      recipient: 'keep',
      sender: 'b',
      thread: 't',
      title: 'T',
      text: '😀',
      image: 'i',
      payload: '{"b":1,"a":[1.0]}',
      created_at: new Date('2026-01-02T03:04:05.678Z'),
    }
    const [added] = await add(content)
    expect(added).toEqual({ ...content, id: expect.any(Number), has_listeners: false })
    expect(await records.findRecord(feed, table, { id: added!.id })).toEqual({
      ...content,
      id: added!.id,
      is_read: false,
    })
  })

  it('are added all or none', async () => {
    const many = Array.from({ length: 100 }, (_, i) => ({ recipient: 'bulk', title: String(i) }))
    const broken = { recipient: null as unknown as string }
    await expect(add(...many, broken)).rejects.toThrow()
    expect(await list({ recipient: 'bulk' })).toEqual([])
    const added = await add(...many)
    expect(added.map(({ title }) => title)).toEqual(many.map(({ title }) => title))
    expect(await titles({ recipient: 'bulk', order: 'asc' })).toEqual(many.map(({ title }) => title))
  })

  it('are paged by an exclusive id in both orders', async () => {
    const [a, b, c] = await add(...['a', 'b', 'c'].map((title) => ({ recipient: 'page', title })))
    expect(await titles({ recipient: 'page' })).toEqual(['c', 'b', 'a'])
    expect(await titles({ recipient: 'page', id: c!.id })).toEqual(['b', 'a'])
    expect(await titles({ recipient: 'page', id: a!.id, order: 'asc' })).toEqual(['b', 'c'])
    expect(await titles({ recipient: 'page', limit: 1, offset: 1 })).toEqual(['b'])
    expect(await records.countRecords(feed, table, { recipient: 'page', id: b!.id })).toBe(1)
    const counted = await records.listRecords(
      feed,
      table,
      { ...page, recipient: 'page', id: a!.id, order: 'asc', limit: 1 },
      true,
    )
    expect(counted).toMatchObject({ records: [{ title: 'b' }], nb_results: 2 })
  })

  it('are found by sender, thread and user', async () => {
    await add(
      { recipient: 'x', sender: 'y', thread: 't1', title: '1' },
      { recipient: 'y', sender: 'x', thread: 't2', title: '2' },
      { recipient: 'x', sender: 'z', thread: 't3', title: '3' },
    )
    expect(await titles({ recipient: 'x', sender: 'y' })).toEqual(['1'])
    expect(await titles({ user: 'x' })).toEqual(['3', '2', '1'])
    expect(await titles({ user: 'y', recipient: 'ignored', sender: 'ignored' })).toEqual(['2', '1'])
    expect(await titles({ recipient: 'x', thread: 't3' })).toEqual(['3'])
    expect(await titles({ user: 'x', thread: ['t1', 't2', "'"] })).toEqual(['2', '1'])
  })

  it.each([{ recipient: 'rx' }, { recipient: 'rx', sender: 'tx' }, { user: 'rx' }])(
    'are found by %j, all other filters and as many threads as may be named',
    async (named) => {
      const at = (n: number) => ({ recipient: 'rx', sender: 'tx', thread: `thread ${n}`, title: `one ${n}` })
      const [first] = await add(at(0), at(89), { ...at(90), title: 'one more' })
      const thread = Array.from({ length: 90 }, (_, n) => `thread ${n}`)
      const filter = { ...named, thread, search: 'ONE', id: first!.id - 1, is_read: false }
      const found = await records.listRecords(feed, table, { ...page, ...filter, order: 'asc' }, true)
      expect(found).toMatchObject({ records: [{ title: 'one 0' }, { title: 'one 89' }], nb_results: 2 })
    },
  )

  it('are found by a part of title or text in any script and case', async () => {
    await add(
      { recipient: 's', title: 'Grüße aus der STRASSE' },
      { recipient: 's', text: 'Ο ΟΔΟΣ' },
      { recipient: 's', title: '100%_sure' },
      { recipient: 's', text: 'Привет' },
    )
    const found = async (search: string) => (await list({ recipient: 's', search })).length
    expect(await found('straße')).toBe(1)
    expect(await found('GRÜSSE')).toBe(1)
    expect(await found('οδος')).toBe(1)
    expect(await found('ПРИВЕТ')).toBe(1)
    expect(await found('%')).toBe(1)
    expect(await found('_sure')).toBe(1)
    expect(await found('%sure')).toBe(0)
    expect(await found("'")).toBe(0)
    expect(await found('x'.repeat(1_000))).toBe(0)
  })

  it('are marked read one at a time, and unread again', async () => {
    const [a] = await add({ recipient: 'r' }, { recipient: 'r' })
    expect(await markRecord(feed, table, { id: a!.id }, true)).toMatchObject({
      record_id: a!.id,
      recipient: 'r',
      is_read: true,
      has_listeners: false,
    })
    await markRecord(feed, table, { id: a!.id }, true)
    expect([await read('r'), await unread('r')]).toEqual([1, 1])
    await markRecord(feed, table, { id: a!.id }, false)
    expect([await read('r'), await unread('r')]).toEqual([0, 2])
    await expect(markRecord(feed, table, { id: 999_999 }, true)).rejects.toMatchObject({ code: 'record_not_found' })
  })

  it('are marked read all at once, regardless of their flags', async () => {
    const [a, b] = await add({ recipient: 'all' }, { recipient: 'all' }, { recipient: 'other' })
    await markRecord(feed, table, { id: a!.id }, false)
    await markAllRead(feed, table, 'all')
    expect([await read('all'), await unread('all'), await unread('other')]).toEqual([2, 0, 1])
    await markRecord(feed, table, { id: b!.id }, false)
    const [c] = await add({ recipient: 'all' })
    expect((await list({ recipient: 'all', is_read: false })).map(({ id }) => id)).toEqual([c!.id, b!.id])
    await markAllRead(feed, table, 'all')
    expect(await unread('all')).toBe(0)
    expect((await list({ user: 'all', is_read: true })).length).toBe(3)
  })

  it('keep their read flags when the recipient changes', async () => {
    await add({ recipient: 'old', title: 'read' })
    await markAllRead(feed, table, 'old')
    await add({ recipient: 'old', title: 'unread' })
    await add({ recipient: 'new', title: 'newer' })
    await markAllRead(feed, table, 'new')
    await markAllRead(feed, table, 'new')
    expect(
      await records.changeRecords(feed, table, { where: { recipient: 'old' }, set: { recipient: 'new' } }),
    ).toMatchObject({
      updated: 2,
    })
    expect(await titles({ recipient: 'new', is_read: false })).toEqual(['unread'])
    expect(await titles({ recipient: 'new', is_read: true })).toEqual(['newer', 'read'])
    await markAllRead(feed, table, 'new')
    expect(await unread('new')).toBe(0)
  })

  it('follow a renamed user as recipient and as sender', async () => {
    await add({ recipient: 'u1', sender: 'u2' }, { recipient: 'u2', sender: 'u1' }, { recipient: 'u3', sender: 'u3' })
    expect(
      await records.changeRecords(feed, table, { where: { user: 'u1' }, set: { user: 'u9', title: 'renamed' } }),
    ).toMatchObject({ updated: 2 })
    expect((await list({ user: 'u9' })).map(({ recipient, sender, title }) => [recipient, sender, title])).toEqual([
      ['u2', 'u9', 'renamed'],
      ['u9', 'u2', 'renamed'],
    ])
    expect(await list({ user: 'u1' })).toEqual([])
    expect(await records.changeRecords(feed, table, { where: { recipient: 'u9' }, set: { user: 'u10' } })).toEqual({
      updated: 0,
      notifiable: [],
    })
  })

  it('are changed in all fields and found by their new values', async () => {
    await add({ recipient: 'ch', thread: 'a', title: 'old', text: 'old' })
    const set = { sender: 's', thread: 'b', title: 'NEW', text: 'TEXT', image: 'i', payload: '{}' }
    expect(await records.changeRecords(feed, table, { where: { recipient: 'ch', thread: 'a' }, set })).toMatchObject({
      updated: 1,
    })
    expect(await list({ recipient: 'ch', search: 'new' })).toMatchObject([set])
    expect(await list({ recipient: 'ch', search: 'text' })).toMatchObject([set])
    expect(await list({ recipient: 'ch', search: 'old' })).toEqual([])
  })

  it('are deleted one at a time, or all of a recipient', async () => {
    const [a] = await add({ recipient: 'd' }, { recipient: 'd' })
    await records.deleteRecord(feed, table, { id: a!.id })
    await expect(records.deleteRecord(feed, table, { id: a!.id })).rejects.toMatchObject({ code: 'record_not_found' })
    await expect(records.findRecord(feed, table, { id: a!.id })).rejects.toMatchObject({ code: 'record_not_found' })
    expect(await records.deleteRecords(feed, table, 'd')).toMatchObject({ deleted: 1 })
    expect(await records.deleteRecords(feed, table, 'd')).toMatchObject({ deleted: 0 })
  })

  it('have exact epochs after concurrent calls that mark all read', async () => {
    await add(...Array.from({ length: 10 }, () => ({ recipient: 'busy' })))
    await Promise.all(Array.from({ length: 20 }, () => markAllRead(feed, table, 'busy')))
    expect(await unread('busy')).toBe(0)
    await add({ recipient: 'busy' })
    expect(await unread('busy')).toBe(1)
  })
})
