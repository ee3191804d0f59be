// Tests of storage collections: storing, listing, counting and reading documents, and access to them.
import { beforeAll, describe, expect, it } from 'vitest'
import { adminSecret, buses, createCollectionAndUser, errorReply, fresh, validationError } from './support.ts'

const document = (collection: string, more: object = {}) => ({
  collection,
  event: 'created',
  uuid: crypto.randomUUID(),
  data: { a: [1, null] },
  ...more,
})

describe.each(buses())('a storage collection on $dialect', (tested) => {
  const { send, content } = tested
  let collection: string
  let secret: string

  beforeAll(async () => {
    const { collection: made, client } = await createCollectionAndUser(tested, 'storage')
    collection = made.name
    secret = client.secret
  })

  const list = async (params: object) =>
    (await content('GET', '/documents', { collection, ...params })) as unknown as {
      documents: { id: number; data: unknown }[]
      has_more?: true
    }

  it('stores a document and returns it', async () => {
    const sent = document(collection)
    const id = expect.any(Number)
    expect(await send('POST', '/document', sent, secret)).toEqual({
      status: 201,
      json: { status: true, content: { document: { ...sent, id, webhook: null } } },
    })
    const { event, uuid, data } = sent
    const { documents } = await list({})
    const kept = { state: null, attempts: 0, webhook_attempts: 0, created_at: expect.any(String) }
    expect(documents.at(-1)).toEqual({ id, event, uuid, data, ...kept })
    expect(await content('GET', '/document', { collection, id: documents.at(-1)!.id })).toMatchObject({
      document: { ...sent, webhook: null, state: null, attempts: 0, response: null },
    })
  })

  it.each([null, 0, '', false, 'text', [], {}, { __proto__: 1 }])('keeps %j as data', async (data) => {
    const sent = document(collection, { data })
    expect(await content('POST', '/document', sent, secret)).toMatchObject({ document: { data } })
  })

  it('keeps all digits and the order of keys', async () => {
    const body = `{"collection":"${collection}","event":"e","uuid":"${crypto.randomUUID()}","data":{"b":1.10,"a":12345678901234567890}}`
    const response = await tested.as(secret)('http://bus/document', { method: 'POST', body })
    expect(await response.text()).toContain('{"b":1.10,"a":12345678901234567890}')
  })

  it('returns the first document for a repeated uuid, in upper or lower case', async () => {
    const sent = document(collection)
    const first = await send('POST', '/document', sent, secret)
    expect(await send('POST', '/document', { ...sent, uuid: sent.uuid.toUpperCase() }, secret)).toEqual(first)
    expect(await send('POST', '/document', { ...sent, webhook: 'http://ignored.example' }, secret)).toEqual(first)
  })

  it('accepts the same data with other whitespace and key order as a retry', async () => {
    const uuid = crypto.randomUUID()
    const post = async (data: string) => {
      const body = `{"collection":"${collection}","event":"e","uuid":"${uuid}","data":${data}}`
      const response = await tested.as(secret)('http://bus/document', { method: 'POST', body })
      return [response.status, await response.text()]
    }
    const first = await post('{"b":[{"d":1.0,"c":12345678901234567890}],"a":null,"__proto__":{"f":1,"e":2}}')
    expect(first[0]).toBe(201)
    expect(await post('{"__proto__":{"e":2,"f":1}, "a":null, "b":[{"c":12345678901234567890, "d":1.0}]}')).toEqual(
      first,
    )
    for (const other of ['{"b":[]}', '{"b":[{"d":1.5,"c":12345678901234567890}],"a":null,"__proto__":{"f":1,"e":2}}'])
      expect((await post(other))[0]).toBe(409)
  })

  it('refuses the uuid of another document', async () => {
    const sent = document(collection)
    await send('POST', '/document', sent, secret)
    const taken = errorReply(409, 'uuid_taken')
    expect(await send('POST', '/document', { ...sent, event: 'other' }, secret)).toMatchObject(taken)
    expect(await send('POST', '/document', { ...sent, data: null }, secret)).toMatchObject(taken)
  })

  it('stores one document for concurrent calls with the same uuid', async () => {
    const sent = document(collection)
    const replies = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/document', sent, secret)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map(({ json }) => JSON.stringify(json))).size).toBe(1)
  })

  it('accepts the same uuid in each collection', async () => {
    const other = await createCollectionAndUser(tested, 'storage')
    const sent = document(collection)
    expect(await send('POST', '/document', sent)).toMatchObject({ status: 201 })
    expect(await send('POST', '/document', { ...sent, collection: other.collection.name })).toMatchObject({
      status: 201,
    })
  })

  it.each([
    [{ collection: 'UP' }, 'collection'],
    [{ event: '' }, 'event'],
    [{ event: 'x'.repeat(256) }, 'event'],
    [{ uuid: 'x' }, 'uuid'],
    [{ uuid: undefined }, 'uuid'],
    [{ data: undefined }, 'data'],
    [{ webhook: 1 }, 'webhook'],
  ])('refuses %j', async (more, field) => {
    expect(await send('POST', '/document', document(collection, more), secret)).toMatchObject(validationError(field))
  })

  it('lists documents after an id, in pages', async () => {
    const { collection: made } = await createCollectionAndUser(tested, 'storage')
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      const { document: added } = await content('POST', '/document', document(made.name, { data: n }))
      ids.push((added as unknown as { id: number }).id)
    }
    const page = async (params: object) => {
      const { documents } = await list({ ...params, collection: made.name })
      return documents.map(({ data }) => data)
    }
    expect(await page({ limit: 2 })).toEqual([0, 1])
    expect(await page({ limit: 2, id: ids[1]! })).toEqual([2, 3])
    const [last, before] = [ids.length - 1, ids.length - 2]
    expect(await page({ limit: 2, order: 'desc' })).toEqual([last, before])
    expect(await page({ limit: 1, order: 'desc', id: ids[last]! })).toEqual([before])
    expect(await page({ id: ids[4]! })).toEqual([])
    expect(await content('GET', '/documents/count', { collection: made.name })).toEqual({ documents: 5 })
    expect(await content('GET', '/documents/count', { collection: made.name, id: ids[1]! })).toEqual({ documents: 3 })
    expect(await send('GET', '/documents', { collection: made.name, limit: 0 })).toMatchObject(validationError('limit'))
    expect(await send('GET', '/documents', { collection: made.name, order: 'x' })).toMatchObject(
      validationError('order'),
    )
    expect(await send('GET', '/documents', { collection: made.name, id: -1 })).toMatchObject(validationError('id'))
    expect(await send('GET', '/documents/count', { collection: made.name, id: 'x' })).toMatchObject(
      validationError('id'),
    )
  })

  it('ends a page early if its documents are large', async () => {
    const { collection: made } = await createCollectionAndUser(tested, 'storage')
    const data = 'x'.repeat(990_000)
    for (let n = 0; n < 10; n++) await send('POST', '/document', document(made.name, { data }))
    const first = await list({ collection: made.name })
    expect([first.documents.length, first.has_more]).toEqual([9, true])
    const rest = await list({ collection: made.name, id: first.documents.at(-1)!.id })
    expect([rest.documents.length, rest.has_more]).toEqual([1, undefined])
  })

  it('returns 404 for an unknown document, and 409 for a replay', async () => {
    expect(await send('GET', '/document', { collection, id: 999_999 })).toMatchObject(
      errorReply(404, 'document_not_found'),
    )
    const replayed = await send('POST', '/document/replay', { collection, id: 999_999 })
    expect(replayed).toMatchObject(errorReply(404, 'document_not_found'))
    const { document: added } = await content('POST', '/document', document(collection))
    const { id } = added as unknown as { id: number }
    expect(await send('POST', '/document/replay', { collection, id })).toMatchObject(errorReply(409, 'not_async'))
  })

  describe('access control', () => {
    const calls: [string, string, () => object][] = [
      ['POST', '/document', () => document(collection)],
      ['GET', '/documents', () => ({ collection })],
      ['GET', '/documents/count', () => ({ collection })],
      ['GET', '/document', () => ({ collection, id: 1 })],
      ['POST', '/document/replay', () => ({ collection, id: 1 })],
    ]

    it.each(calls)('returns 401 without a valid secret: %s %s', async (method, path, params) => {
      for (const unknown of [undefined, '', 'wrong']) {
        const fetch = tested.as(unknown)
        for (const input of [params(), {}]) {
          const query = method === 'GET' ? `?${new URLSearchParams(input as never)}` : ''
          const body = method === 'GET' ? {} : { body: JSON.stringify(input) }
          const response = await fetch(`http://bus${path}${query}`, { method, ...body })
          expect(response.status).toBe(401)
          expect(await response.json()).toMatchObject({ status_code: 'unauthorized' })
        }
      }
    })

    it.each(calls)(
      'returns 403 to a user without access, whether the collection exists or not: %s %s',
      async (method, path, params) => {
        const { client } = await createCollectionAndUser(tested, 'storage')
        const reply = await send(method, path, params(), client.secret)
        expect(reply).toMatchObject(errorReply(403, 'forbidden'))
        const other = await send(method, path, { ...params(), collection: fresh() }, client.secret)
        expect(other).toEqual({ ...reply, json: { ...reply.json, request_id: expect.any(String) } })
      },
    )

    it.each(calls)('returns 404 to an administrator for an unknown collection: %s %s', async (method, path, params) => {
      const reply = await send(method, path, { ...params(), collection: fresh() }, adminSecret)
      expect(reply).toMatchObject(errorReply(404, 'collection_not_found'))
    })

    it('lets a reader list documents, but not add them', async () => {
      const { collection: made, client } = await createCollectionAndUser(tested, 'storage', { level: 'read' })
      expect(await send('POST', '/document', document(made.name), client.secret)).toMatchObject(
        errorReply(403, 'forbidden'),
      )
      await send('POST', '/document', document(made.name))
      expect(await content('GET', '/documents/count', { collection: made.name }, client.secret)).toEqual({
        documents: 1,
      })
    })
  })

  it('rejects a user at once who is disabled or has lost access', async () => {
    const { collection: made, client } = await createCollectionAndUser(tested, 'storage')
    const post = () => send('POST', '/document', document(made.name), client.secret)
    const read = () => send('GET', '/documents', { collection: made.name }, client.secret)
    expect((await post()).status).toBe(201)
    await send('PATCH', '/client', { id: client.id, is_disabled: true })
    expect([(await post()).status, (await read()).status]).toEqual([401, 401])
    await send('PATCH', '/client', { id: client.id, is_disabled: false })
    expect((await post()).status).toBe(201)
    await send('DELETE', '/access', { client: client.id, collection: made.id })
    expect([(await post()).status, (await read()).status]).toEqual([403, 403])
  })

  it('refuses documents while it is disabled, and still lists its documents', async () => {
    const { collection: made, client } = await createCollectionAndUser(tested, 'storage')
    await send('POST', '/document', document(made.name), client.secret)
    await send('PATCH', '/collection', { id: made.id, is_disabled: true })
    const refused = await send('POST', '/document', document(made.name), client.secret)
    expect(refused).toMatchObject(errorReply(409, 'collection_disabled'))
    expect(await content('GET', '/documents/count', { collection: made.name }, client.secret)).toEqual({ documents: 1 })
  })

  it('is empty after it is deleted and created again', async () => {
    const { collection: made } = await createCollectionAndUser(tested, 'storage')
    const sent = document(made.name)
    await send('POST', '/document', sent)
    await send('DELETE', '/collection', { id: made.id, force: true })
    expect(await send('POST', '/document', sent)).toMatchObject(errorReply(404, 'collection_not_found'))
    await send('POST', '/collection', { name: made.name, type: 'storage' })
    expect((await send('POST', '/document', sent)).status).toBe(201)
    expect(await content('GET', '/documents/count', { collection: made.name })).toEqual({ documents: 1 })
  })
})
