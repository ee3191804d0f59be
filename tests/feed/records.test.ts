import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { createCollection } from '#feed/collections'
import type { Shelf } from '#feed/filter'
import { markAllRead, markRecord } from '#feed/reading'
import * as records from '#feed/records'
import { schema } from '#feed/schema'
import { databases } from '../support/databases.ts'

const page = { order: 'desc' as 'asc' | 'desc', limit: 1_000, offset: 0 }

describe.each(databases)('records on $dialect', (database) => {
  const feed = open(database, schema)
  let shelf: Shelf

  beforeAll(async () => {
    await createCollection(feed, 'news')
    shelf = await records.shelfOf(feed, 'news')
  })

  const add = (...contents: Parameters<typeof records.addRecords>[2]) => records.addRecords(feed, shelf, contents)
  const list = async (
    filter: Omit<Parameters<typeof records.listRecords>[2], keyof typeof page> & Partial<typeof page>,
  ) => (await records.listRecords(feed, shelf, { ...page, ...filter })).records
  const titles = async (...[filter]: Parameters<typeof list>) => (await list(filter)).map(({ title }) => title)
  const unread = (recipient: string) => records.countRecords(feed, shelf, { recipient, is_read: false })
  const read = (recipient: string) => records.countRecords(feed, shelf, { recipient, is_read: true })

  it('keep what they were given', async () => {
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
    expect(added).toEqual({ ...content, id: expect.any(Number), is_heard: false })
    expect(await records.findRecord(feed, shelf, added!.id)).toEqual({ ...content, id: added!.id, is_read: false })
  })

  it('come all or none', async () => {
    const many = Array.from({ length: 100 }, (_, i) => ({ recipient: 'bulk', title: String(i) }))
    const broken = { recipient: null as unknown as string }
    await expect(add(...many, broken)).rejects.toThrow()
    expect(await list({ recipient: 'bulk' })).toEqual([])
    const added = await add(...many)
    expect(added.map(({ title }) => title)).toEqual(many.map(({ title }) => title))
    expect(await titles({ recipient: 'bulk', order: 'asc' })).toEqual(many.map(({ title }) => title))
  })

  it('are paged by an id that is left out, in either order', async () => {
    const [a, b, c] = await add(...['a', 'b', 'c'].map((title) => ({ recipient: 'page', title })))
    expect(await titles({ recipient: 'page' })).toEqual(['c', 'b', 'a'])
    expect(await titles({ recipient: 'page', id: c!.id })).toEqual(['b', 'a'])
    expect(await titles({ recipient: 'page', id: a!.id, order: 'asc' })).toEqual(['b', 'c'])
    expect(await titles({ recipient: 'page', limit: 1, offset: 1 })).toEqual(['b'])
    expect(await records.countRecords(feed, shelf, { recipient: 'page', id: b!.id })).toBe(1)
    const counted = await records.listRecords(
      feed,
      shelf,
      { ...page, recipient: 'page', id: a!.id, order: 'asc', limit: 1 },
      true,
    )
    expect(counted).toMatchObject({ records: [{ title: 'b' }], nb_results: 2 })
  })

  it('are found by sender, thread and either user', async () => {
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
      const found = await records.listRecords(feed, shelf, { ...page, ...filter, order: 'asc' }, true)
      expect(found).toMatchObject({ records: [{ title: 'one 0' }, { title: 'one 89' }], nb_results: 2 })
    },
  )

  it('are found by a part of title or text, in any script and case', async () => {
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

  it('are read one by one, and unread again', async () => {
    const [a] = await add({ recipient: 'r' }, { recipient: 'r' })
    expect(await markRecord(feed, shelf, a!.id, true)).toMatchObject({
      record_id: a!.id,
      recipient: 'r',
      is_read: true,
      is_heard: false,
    })
    await markRecord(feed, shelf, a!.id, true)
    expect([await read('r'), await unread('r')]).toEqual([1, 1])
    await markRecord(feed, shelf, a!.id, false)
    expect([await read('r'), await unread('r')]).toEqual([0, 2])
    await expect(markRecord(feed, shelf, 999_999, true)).rejects.toMatchObject({ code: 'record_not_found' })
  })

  it('are read all at once, whatever was said of each before', async () => {
    const [a, b] = await add({ recipient: 'all' }, { recipient: 'all' }, { recipient: 'other' })
    await markRecord(feed, shelf, a!.id, false)
    await markAllRead(feed, shelf, 'all')
    expect([await read('all'), await unread('all'), await unread('other')]).toEqual([2, 0, 1])
    await markRecord(feed, shelf, b!.id, false)
    const [c] = await add({ recipient: 'all' })
    expect((await list({ recipient: 'all', is_read: false })).map(({ id }) => id)).toEqual([c!.id, b!.id])
    await markAllRead(feed, shelf, 'all')
    expect(await unread('all')).toBe(0)
    expect((await list({ user: 'all', is_read: true })).length).toBe(3)
  })

  it('change hands as read or unread as they were', async () => {
    await add({ recipient: 'old', title: 'read' })
    await markAllRead(feed, shelf, 'old')
    await add({ recipient: 'old', title: 'unread' })
    await add({ recipient: 'new', title: 'newer' })
    await markAllRead(feed, shelf, 'new')
    await markAllRead(feed, shelf, 'new')
    expect(
      await records.changeRecords(feed, shelf, { where: { recipient: 'old' }, set: { recipient: 'new' } }),
    ).toMatchObject({
      updated: 2,
    })
    expect(await titles({ recipient: 'new', is_read: false })).toEqual(['unread'])
    expect(await titles({ recipient: 'new', is_read: true })).toEqual(['newer', 'read'])
    await markAllRead(feed, shelf, 'new')
    expect(await unread('new')).toBe(0)
  })

  it('follow a user who is renamed, wherever the name stands', async () => {
    await add({ recipient: 'u1', sender: 'u2' }, { recipient: 'u2', sender: 'u1' }, { recipient: 'u3', sender: 'u3' })
    expect(
      await records.changeRecords(feed, shelf, { where: { user: 'u1' }, set: { user: 'u9', title: 'renamed' } }),
    ).toMatchObject({ updated: 2 })
    expect((await list({ user: 'u9' })).map(({ recipient, sender, title }) => [recipient, sender, title])).toEqual([
      ['u2', 'u9', 'renamed'],
      ['u9', 'u2', 'renamed'],
    ])
    expect(await list({ user: 'u1' })).toEqual([])
    expect(await records.changeRecords(feed, shelf, { where: { recipient: 'u9' }, set: { user: 'u10' } })).toEqual({
      updated: 0,
      heard: [],
    })
  })

  it('are changed in every way, and found by what they have become', async () => {
    await add({ recipient: 'ch', thread: 'a', title: 'old', text: 'old' })
    const set = { sender: 's', thread: 'b', title: 'NEW', text: 'TEXT', image: 'i', payload: '{}' }
    expect(await records.changeRecords(feed, shelf, { where: { recipient: 'ch', thread: 'a' }, set })).toMatchObject({
      updated: 1,
    })
    expect(await list({ recipient: 'ch', search: 'new' })).toMatchObject([set])
    expect(await list({ recipient: 'ch', search: 'text' })).toMatchObject([set])
    expect(await list({ recipient: 'ch', search: 'old' })).toEqual([])
  })

  it('go one by one, or all of a recipient', async () => {
    const [a] = await add({ recipient: 'd' }, { recipient: 'd' })
    await records.deleteRecord(feed, shelf, a!.id)
    await expect(records.deleteRecord(feed, shelf, a!.id)).rejects.toMatchObject({ code: 'record_not_found' })
    await expect(records.findRecord(feed, shelf, a!.id)).rejects.toMatchObject({ code: 'record_not_found' })
    expect(await records.deleteRecords(feed, shelf, 'd')).toMatchObject({ deleted: 1 })
    expect(await records.deleteRecords(feed, shelf, 'd')).toMatchObject({ deleted: 0 })
  })

  it('know each other’s epochs exactly, however many mark at a time', async () => {
    await add(...Array.from({ length: 10 }, () => ({ recipient: 'busy' })))
    await Promise.all(Array.from({ length: 20 }, () => markAllRead(feed, shelf, 'busy')))
    expect(await unread('busy')).toBe(0)
    await add({ recipient: 'busy' })
    expect(await unread('busy')).toBe(1)
  })
})
