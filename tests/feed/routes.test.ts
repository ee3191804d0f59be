// Tests the feed's API: parameters, replies and errors of each operation.
import { beforeAll, describe, expect, it } from 'vitest'
import Feed from '../../workers/feed/index.ts'
import { onDatabases } from '../support/databases.ts'
import { ask } from '../support/requests.ts'

const invalid = (...fields: string[]) => ({
  status: 400,
  json: {
    status: false,
    status_code: 'validation_failed',
    errors: Object.fromEntries(fields.map((f) => [f, expect.any(String)])),
  },
})
const unknown = (object: string) => ({ status: 404, json: { status: false, status_code: `${object}_not_found` } })

describe.each(onDatabases(Feed))('the feed on $dialect', ({ fetch }) => {
  const send = (method: string, path: string, params?: object) => ask(method, path, params, fetch)
  const add = async (record: object) =>
    (await send('POST', '/record', { collection: 'news', ...record })).json.content as unknown as {
      record: { id: number }
    }

  beforeAll(() => send('POST', '/collection', { name: 'news' }))

  it('creates a collection, and has no effect if it exists', async () => {
    expect(await send('POST', '/collection', { name: 'sport' })).toEqual({ status: 200, json: { status: true } })
    expect(await send('POST', '/collection', { name: 'sport' })).toEqual({ status: 200, json: { status: true } })
  })

  it.each(['', 'News', '1st', 'a-b', 'a'.repeat(49), "x'; DROP TABLE feed_collections; --", '😀', 'a b'])(
    'rejects a collection named %j',
    async (name) => expect(await send('POST', '/collection', { name })).toMatchObject(invalid('name')),
  )

  it.each([
    ['/records', '/records/search'],
    ['/records/count', '/records/count'],
  ])('answers to GET %s and to POST %s alike', async (path, postPath) => {
    await add({ recipient: 'zoe', title: 'Hello' })
    for (const params of [{ collection: 'news', recipient: 'zoe' }, { collection: 'none', recipient: 'zoe' }, {}]) {
      const { request_id: _, ...asked } = (await send('GET', path, params)).json
      const { request_id: __, ...sent } = (await send('POST', postPath, params)).json
      expect(sent).toEqual(asked)
    }
    expect((await send('POST', postPath, { collection: 'news', recipient: 'zoe' })).status).toBe(200)
  })

  it('adds a record and returns it', async () => {
    const content = {
      recipient: 'ann',
      sender: 'bob',
      thread: 't',
      title: 'T',
      text: 'x',
      image: 'i',
      payload: { b: [], a: null },
    }
    const added = await send('POST', '/record', {
      collection: 'news',
      ...content,
      created_at: '2026-01-02T03:04:05+01:00',
    })
    const record = { id: expect.any(Number), ...content, created_at: '2026-01-02 02:04:05' }
    expect(added).toEqual({ status: 200, json: { status: true, content: { record } } })
    const { id } = (added.json.content as unknown as { record: { id: number } }).record
    expect(await send('GET', '/record', { collection: 'news', id })).toEqual({
      status: 200,
      json: { status: true, content: { record: { ...record, is_read: false } } },
    })
  })

  it('adds a record once for repeats with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const record = { collection: 'once', recipient: crypto.randomUUID() }
    const post = (content: object) => ask('POST', '/record', content, (url, init) => fetch(url, { ...init, headers }))
    expect(await post(record)).toMatchObject(unknown('collection'))
    await send('POST', '/collection', { name: 'once' })
    const replies = await Promise.all([post(record), post(record), post(record)])
    const added = replies.filter(({ status }) => status === 200)
    expect(added.length).toBeGreaterThan(0)
    for (const reply of replies) if (reply.status !== 200) expect(reply).toMatchObject({ status: 409 })
    expect(await post(record)).toEqual(added[0])
    expect((await send('GET', '/records/count', record)).json.content).toEqual({ records: 1 })
    expect(await post({ ...record, title: 'Another' })).toMatchObject({
      status: 409,
      json: { status_code: 'idempotency_key_reused' },
    })
  })

  it('adds the records of a call once for repeats with an Idempotency-Key', async () => {
    await send('POST', '/collection', { name: 'bulk_once' })
    const recipient = crypto.randomUUID()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const text = 'x'.repeat(99_000)
    const content = { collection: 'bulk_once', records: Array.from({ length: 30 }, () => ({ recipient, text })) }
    const post = () => ask('POST', '/records', content, (url, init) => fetch(url, { ...init, headers }))
    const first = await post()
    expect(first.status).toBe(200)
    expect(await post()).toEqual(first)
    expect((await send('GET', '/records/count', { collection: 'bulk_once', recipient })).json.content).toEqual({
      records: 30,
    })
  })

  it('returns null for fields that a record does not have', async () => {
    const { record } = await add({ recipient: 'plain' })
    expect(record).toEqual({
      id: record.id,
      recipient: 'plain',
      sender: null,
      thread: null,
      title: null,
      text: null,
      image: null,
      payload: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
  })

  it('keeps any JSON as payload', async () => {
    for (const payload of [0, '', false, 'text', [1, { a: [] }], {}]) {
      expect((await add({ recipient: 'any', payload })).record).toMatchObject({ payload })
    }
    expect((await add({ recipient: 'any', payload: null })).record).toMatchObject({ payload: null })
  })

  it('rejects a record with missing or invalid fields', async () => {
    expect(await send('POST', '/record', {})).toMatchObject(invalid('collection', 'recipient'))
    expect(await send('POST', '/record', { collection: 'news', recipient: 'a'.repeat(256) })).toMatchObject(
      invalid('recipient'),
    )
    expect(await send('POST', '/record', { collection: 'news', recipient: 'a', title: 1 })).toMatchObject(
      invalid('title'),
    )
    expect(await send('POST', '/record', { collection: 'news', recipient: 'a\0' })).toMatchObject(invalid('recipient'))
    expect(
      await send('POST', '/record', { collection: 'news', recipient: 'a', created_at: '2026-02-30' }),
    ).toMatchObject(invalid('created_at'))
    expect(await send('POST', '/record', { collection: 'none', recipient: 'a' })).toMatchObject(unknown('collection'))
  })

  it('adds many records, all or none', async () => {
    const records = Array.from({ length: 1_000 }, (_, i) => ({ recipient: 'bulk', title: `${i}` }))
    const reply = await send('POST', '/records', { collection: 'news', records })
    expect((reply.json.content as unknown as { records: object[] }).records).toHaveLength(1_000)
    const broken = await send('POST', '/records', {
      collection: 'news',
      records: [{ recipient: 'none' }, { title: 'x' }],
    })
    expect(broken).toMatchObject(invalid('records.1.recipient'))
    expect(await send('GET', '/records/count', { collection: 'news', recipient: 'none' })).toMatchObject({
      json: { content: { records: 0 } },
    })
    expect(await send('POST', '/records', { collection: 'news', records: [] })).toMatchObject(invalid('records'))
    const many = Array.from({ length: 1_001 }, () => ({ recipient: 'none' }))
    expect(await send('POST', '/records', { collection: 'news', records: many })).toMatchObject(invalid('records'))
  })

  it('rejects a payload above 1 MB', async () => {
    const records = [{ recipient: 'large', payload: 'x'.repeat(1_500_000) }]
    expect(await send('POST', '/records', { collection: 'news', records })).toMatchObject(invalid('records.0.payload'))
  })

  it('lists a page, and counts', async () => {
    for (const title of ['a', 'b', 'c']) await add({ recipient: 'list', title })
    const list = (params: object) => send('GET', '/records', { collection: 'news', recipient: 'list', ...params })
    expect(await list({ limit: 2, count: true })).toMatchObject({
      json: { content: { records: [{ title: 'c', is_read: false }, { title: 'b' }], nb_results: 3 } },
    })
    expect(await list({ order: 'asc', offset: 1, limit: 1 })).toMatchObject({
      json: { content: { records: [{ title: 'b' }] } },
    })
    expect((await list({})).json.content).not.toHaveProperty('nb_results')
    expect(await send('GET', '/records/count', { collection: 'news', user: 'list' })).toEqual({
      status: 200,
      json: { status: true, content: { records: 3 } },
    })
  })

  it('ends a page early at 8 MB', async () => {
    const payload = 'x'.repeat(990_000)
    for (let n = 0; n < 2; n++) {
      await send('POST', '/records', {
        collection: 'news',
        records: Array.from({ length: 6 }, () => ({ recipient: 'large', payload })),
      })
    }
    const page = async (params: object) => {
      const { json } = await send('GET', '/records', { collection: 'news', recipient: 'large', count: true, ...params })
      return json.content as unknown as { records: { id: number }[]; has_more?: true; nb_results: number }
    }
    const first = await page({})
    expect([first.records.length, first.has_more, first.nb_results]).toEqual([9, true, 12])
    const rest = await page({ id: first.records.at(-1)!.id })
    expect([rest.records.length, rest.has_more]).toEqual([3, undefined])
    await send('DELETE', '/records', { collection: 'news', recipient: 'large' })
  })

  it('lists 25 records by default', async () => {
    await send('POST', '/records', {
      collection: 'news',
      records: Array.from({ length: 30 }, () => ({ recipient: 'default' })),
    })
    const { json } = await send('GET', '/records', { collection: 'news', recipient: 'default' })
    expect((json.content as unknown as { records: object[] }).records).toHaveLength(25)
  })

  it.each([
    [{}, 'recipient'],
    [{ recipient: '' }, 'recipient'],
    [{ user: '' }, 'recipient'],
    [{ recipient: 'a', order: 'up' }, 'order'],
    [{ recipient: 'a', limit: 0 }, 'limit'],
    [{ recipient: 'a', limit: 1_001 }, 'limit'],
    [{ recipient: 'a', offset: -1 }, 'offset'],
    [{ recipient: 'a', id: 'x' }, 'id'],
    [{ recipient: 'a', id: 1.5 }, 'id'],
    [{ recipient: 'a', is_read: 'maybe' }, 'is_read'],
  ])('rejects to list by %j', async (params, field) => {
    expect(await send('GET', '/records', { collection: 'news', ...params })).toMatchObject(invalid(field))
  })

  it('ignores an empty user', async () => {
    await add({ recipient: 'own', title: 'theirs' })
    await add({ recipient: 'other', sender: '', title: 'not theirs' })
    const params = { collection: 'news', recipient: 'own', user: '' }
    for (const is_read of [undefined, false]) {
      const filter = { ...params, ...(is_read === undefined ? {} : { is_read }) }
      const { json } = await send('GET', '/records', { ...filter, count: true })
      expect(json.content).toMatchObject({ records: [{ title: 'theirs' }], nb_results: 1 })
      expect((await send('GET', '/records/count', filter)).json.content).toEqual({ records: 1 })
    }
  })

  it('changes records and returns their number', async () => {
    await add({ recipient: 'patch', sender: 'p2' })
    const patch = (where: unknown, set: unknown) =>
      send('PATCH', '/records', { collection: 'news', where, set } as object)
    expect(await patch({ user: 'p2' }, { user: 'p3', payload: { a: 1 } })).toEqual({
      status: 200,
      json: { status: true, content: { updated: 1 } },
    })
    expect(await send('GET', '/records', { collection: 'news', user: 'p3' })).toMatchObject({
      json: { content: { records: [{ sender: 'p3', payload: { a: 1 } }] } },
    })
    expect(await patch({}, { title: 'x' })).toMatchObject(invalid('where'))
    expect(await patch({ recipient: 'a' }, {})).toMatchObject(invalid('set'))
    expect(await patch({ recipient: 'a', or: 1 }, { title: 'x' })).toMatchObject(invalid('where.or'))
    expect(await patch({ recipient: 'a' }, { id: 1 })).toMatchObject(invalid('set.id'))
    expect(await patch({ recipient: 'a' }, { title: null })).toMatchObject(invalid('set'))
    expect(await patch({ recipient: 'a' }, { payload: [] })).toMatchObject(invalid('set.payload'))
    expect(await patch({ recipient: 'a' }, { recipient: '' })).toMatchObject(invalid('set.recipient'))
    expect(await patch({ user: 'a' }, { user: '' })).toMatchObject(invalid('set.user'))
    expect(await patch('x', 1)).toMatchObject(invalid('where', 'set'))
  })

  it.each([
    ['a misspelt selector', { where: { recipent: 'safe' }, set: { title: 'x' } }, 'where.recipent', '"recipient"'],
    [
      'a misspelt one beside a right one',
      { where: { sender: 's', thraed: 't' }, set: { title: 'x' } },
      'where.thraed',
      '"thread"',
    ],
    ['a selector that is null', { where: { sender: 's', thread: null }, set: { title: 'x' } }, 'where.thread', 'null'],
    [
      'a selector of a list',
      { where: { sender: 's' }, recipient: 'safe', set: { title: 'x' } },
      'recipient',
      'Unknown',
    ],
    ['a misspelt parameter', { where: { sender: 's' }, sett: { title: 'x' }, set: { title: 'x' } }, 'sett', '"set"'],
  ])('rejects to change records by %s, and changes nothing', async (_, params, field, message) => {
    const { record } = await add({ recipient: 'safe', sender: 's' })
    const reply = await send('PATCH', '/records', { collection: 'news', ...params })
    expect(reply).toMatchObject({ status: 400, json: { errors: { [field]: expect.stringContaining(message) } } })
    expect(await send('GET', '/record', { collection: 'news', id: record.id })).toMatchObject({
      json: { content: { record: { title: null } } },
    })
  })

  it.each([
    [{ recipient: 'safe', sender: 's' }, 'sender'],
    [{ recipient: 'safe', thread: null }, 'thread'],
    [{ recipient: null }, 'recipient'],
  ])('rejects to delete records by %j, and deletes nothing', async (params, field) => {
    await add({ recipient: 'safe', sender: 's' })
    const count = () => send('GET', '/records/count', { collection: 'news', recipient: 'safe' })
    const before = await count()
    expect(await send('DELETE', '/records', { collection: 'news', ...params })).toMatchObject(invalid(field))
    expect(await count()).toEqual(before)
  })

  it('lists read and unread records for is_read null', async () => {
    const { record } = await add({ recipient: 'both' })
    await add({ recipient: 'both' })
    await send('POST', '/record/read', { collection: 'news', id: record.id })
    for (const path of ['/records?is_read=null', '/records?is_read='])
      expect((await send('GET', `${path}&collection=news&recipient=both&count=true`)).json.content).toMatchObject({
        nb_results: 2,
      })
  })

  it('marks records read and unread', async () => {
    const { record } = await add({ recipient: 'mark' })
    const params = { collection: 'news', id: record.id }
    const isRead = async () =>
      ((await send('GET', '/record', params)).json.content as unknown as { record: { is_read: boolean } }).record
        .is_read
    for (const [path, expected] of [
      ['read', true],
      ['read', true],
      ['unread', false],
      ['unread', false],
    ] as const) {
      expect(await send('POST', `/record/${path}`, params)).toEqual({ status: 200, json: { status: true } })
      expect(await isRead()).toBe(expected)
    }
    expect(await send('POST', '/records/read', { collection: 'news', recipient: 'mark' })).toEqual({
      status: 200,
      json: { status: true },
    })
    expect(await isRead()).toBe(true)
    for (const path of ['/record/read', '/record/unread']) {
      expect(await send('POST', path, { collection: 'news', id: 999_999 })).toMatchObject(unknown('record'))
      expect(await send('POST', path, { collection: 'none', id: 1 })).toMatchObject(unknown('collection'))
      expect(await send('POST', path, { collection: 'news' })).toMatchObject(invalid('id'))
    }
    expect(await send('POST', '/records/read', { collection: 'news' })).toMatchObject(invalid('recipient'))
  })

  it('deletes one record, by body or query, and all records of a recipient', async () => {
    const [a, b] = [await add({ recipient: 'del' }), await add({ recipient: 'del' })]
    await add({ recipient: 'del' })
    expect(await send('DELETE', '/record', { collection: 'news', id: a.record.id })).toEqual({
      status: 200,
      json: { status: true },
    })
    expect(await send('DELETE', `/record?collection=news&id=${b.record.id}`)).toMatchObject({ status: 200 })
    expect(await send('DELETE', '/record', { collection: 'news', id: a.record.id })).toMatchObject(unknown('record'))
    expect(await send('GET', '/record', { collection: 'news', id: a.record.id })).toMatchObject(unknown('record'))
    expect(await send('DELETE', '/records', { collection: 'news', recipient: 'del' })).toEqual({
      status: 200,
      json: { status: true, content: { deleted: 1 } },
    })
    expect(await send('DELETE', '/records', { collection: 'news' })).toMatchObject(invalid('recipient'))
  })
})
