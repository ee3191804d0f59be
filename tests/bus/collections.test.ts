// Tests of the API for collections and for access to them, also with concurrent calls and crashes.
import { describe, expect, it } from 'vitest'
import { deleteCollection, reserveName } from '#bus/collections'
import type { Bus } from '#bus/schema'
import { buses, busOn, createCollectionAndUser, errorReply, fresh, target, validationError } from './support.ts'

interface Collection {
  id: number
  name: string
}

describe.each(buses())('collections on $dialect', (tested) => {
  const { send, content } = tested
  const create = async (params: object) =>
    (await content('POST', '/collection', params)).collection as unknown as Collection

  it('are created, shown and listed', async () => {
    const sent = { name: fresh(), type: 'sync', handler: target('/echo'), description: 'orders' }
    const { status, json } = await send('POST', '/collection', sent)
    const time = expect.stringMatching(/^\d{4}-/)
    const settings = { retention: null, concurrency: null, retry_rejected: false, circuit: 'closed', circuits: [] }
    const stored = { ...settings, is_disabled: false, created_at: time, updated_at: time }
    const collection = { ...sent, ...stored, id: expect.any(Number) }
    expect([status, json]).toEqual([201, { status: true, content: { collection } }])
    expect(await content('GET', '/collection', { name: sent.name })).toEqual({ collection })
    const listed = (await content('GET', '/collections', { limit: 1000 })).collections as unknown as Collection[]
    expect(listed.at(-1)).toEqual(collection)
  })

  it('have unique names, however many are created concurrently', async () => {
    const name = fresh()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/collection', { name, type: 'storage' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(replies.find(({ status }) => status === 409)).toMatchObject(errorReply(409, 'name_taken'))
  })

  it('are created by the next call after a crash between the row and the table', async () => {
    const name = fresh()
    await reserveName(tested.bus, name, new Date())
    expect(await send('GET', '/collection', { name })).toMatchObject(errorReply(404, 'collection_not_found'))
    expect(await send('POST', '/collection', { name, type: 'storage' })).toMatchObject({ status: 201 })
    expect(await content('GET', '/documents/count', { collection: name })).toEqual({ documents: 0 })
  })

  it.each([
    [{ name: 'Orders' }, 'name'],
    [{ name: 'a_b' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(49) }, 'name'],
    [{ name: "x'; DROP TABLE bus_clients; --" }, 'name'],
    [{ type: 'queue' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ type: 'sync', handler: undefined }, 'handler'],
    [{ type: 'async', handler: undefined }, 'handler'],
    [{ handler: 'ftp://x.example' }, 'handler'],
    [{ handler: 'http://user:secret@x.example' }, 'handler'],
    [{ handler: 'nothing' }, 'handler'],
    [{ handler: 'http://h.example.com/\u0000' }, 'handler'],
  ])('are rejected with %j', async (params, field) => {
    const sent = { name: fresh(), type: 'sync', handler: target('/echo'), ...params }
    expect(await send('POST', '/collection', sent)).toMatchObject(validationError(field))
  })

  it('need public handlers unless private ones are allowed', async () => {
    const strict = busOn({ ...tested.env, dialect: '' } as never, { ALLOW_PRIVATE_TARGETS: '' })
    for (const handler of ['http://127.0.0.1', 'http://localhost', 'http://169.254.169.254/', 'http://[::1]/'])
      expect(await strict.send('POST', '/collection', { name: fresh(), type: 'sync', handler })).toMatchObject(
        validationError('handler'),
      )
  })

  it('cannot have the name of the log of changes', async () => {
    const reserved = errorReply(409, 'collection_reserved')
    expect(await send('POST', '/collection', { name: 'system', type: 'storage' })).toMatchObject(reserved)
    const document = { collection: 'system', event: 'e', uuid: crypto.randomUUID(), data: 1 }
    expect(await send('POST', '/document', document)).toMatchObject(reserved)
    const { client } = await createCollectionAndUser(tested, 'storage')
    expect(await send('POST', '/document', document, client.secret)).toMatchObject(errorReply(403, 'forbidden'))
  })

  it('can be changed in part', async () => {
    const { id, name } = await create({ name: fresh(), type: 'storage' })
    const handler = target('/echo')
    expect(await send('PATCH', '/collection', { id, type: 'sync' })).toMatchObject(validationError('handler'))
    expect(await content('PATCH', '/collection', { id, type: 'sync', handler })).toMatchObject({
      collection: { id, name, type: 'sync', handler },
    })
    expect(await content('PATCH', '/collection', { id, description: 'x' })).toMatchObject({
      collection: { type: 'sync', handler, description: 'x' },
    })
  })

  it('work with their new type after a change', async () => {
    const { id, name } = await create({ name: fresh(), type: 'storage' })
    const post = (more = {}) =>
      send('POST', '/document', { collection: name, event: 'e', uuid: crypto.randomUUID(), data: 1, ...more })
    await post()
    await send('PATCH', '/collection', { id, type: 'sync', handler: target('/echo') })
    expect(await post()).toMatchObject({ status: 201, json: { content: { response: { status_code: 200 } } } })
    await send('PATCH', '/collection', { id, type: 'async' })
    expect(await post()).toMatchObject(validationError('webhook'))
    expect((await post({ webhook: target('/echo') })).status).toBe(201)
    expect(tested.queue.takeTasks()).toHaveLength(1)
  })

  it('are deleted if empty, or with `force`', async () => {
    const { id, name } = await create({ name: fresh(), type: 'storage' })
    await send('POST', '/document', { collection: name, event: 'e', uuid: crypto.randomUUID(), data: 1 })
    expect(await send('DELETE', '/collection', { id })).toMatchObject(errorReply(409, 'collection_not_empty'))
    expect(await send('DELETE', '/collection', { id, force: true })).toEqual({ status: 200, json: { status: true } })
    expect(await send('GET', '/collection', { id })).toMatchObject(errorReply(404, 'collection_not_found'))
    const empty = await create({ name, type: 'storage' })
    expect((await send('DELETE', '/collection', { id: empty.id })).status).toBe(200)
  })

  it('are not deleted if a document arrives during the deletion', async () => {
    const { id, name } = await create({ name: fresh(), type: 'storage' })
    const document = { collection: name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    const batch: Bus['db']['batch'] = async (statements) => {
      if (!posted) posted = await send('POST', '/document', document)
      return tested.bus.db.batch(statements)
    }
    let posted: Awaited<ReturnType<typeof send>> | undefined
    const db = new Proxy(tested.bus.db, {
      get: (of, property) => (property === 'batch' ? batch : Reflect.get(of, property).bind(of)),
    })
    const deletion = deleteCollection({ ...tested.bus, db }, { id, force: false }, new Date())
    await expect(deletion).rejects.toMatchObject({ code: 'collection_not_empty' })
    expect(posted).toMatchObject({ status: 201 })
    expect(await content('GET', '/documents/count', { collection: name })).toEqual({ documents: 1 })
  })

  it('lose no accepted document when they are deleted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, name } = await create({ name: fresh(), type: 'storage' })
      const post = () => send('POST', '/document', { collection: name, event: 'e', uuid: crypto.randomUUID(), data: 1 })
      const [deleted, ...posted] = await Promise.all([send('DELETE', '/collection', { id }), post(), post(), post()])
      const taken = posted.filter(({ status }) => status === 201).length
      expect(deleted!.status).toBe(taken > 0 ? 409 : 200)
      expect((await send('GET', '/collection', { id })).status).toBe(taken > 0 ? 200 : 404)
    }
  })

  it('are deleted once by concurrent calls', async () => {
    const { id } = await create({ name: fresh(), type: 'storage' })
    const replies = await Promise.all([1, 2, 3].map(() => send('DELETE', '/collection', { id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it('get 404 if they do not exist', async () => {
    const unknown = errorReply(404, 'collection_not_found')
    expect(await send('GET', '/collection', { id: 999_999 })).toMatchObject(unknown)
    expect(await send('PATCH', '/collection', { id: 999_999 })).toMatchObject(unknown)
    expect(await send('DELETE', '/collection', { id: 999_999 })).toMatchObject(unknown)
    expect(await send('GET', '/collection', {})).toMatchObject(validationError('id'))
    expect(await send('PATCH', '/collection', {})).toMatchObject(validationError('id'))
    expect(await send('DELETE', '/collection', {})).toMatchObject(validationError('id'))
    expect(await send('GET', '/collections', { limit: 1_001 })).toMatchObject(validationError('limit'))
  })
})

describe.each(buses())('access on $dialect', (tested) => {
  const { send, content } = tested

  it('is granted, changed, listed and revoked', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage', { level: 'read' })
    const pair = { client: client.id, collection: collection.id }
    const names = { client_name: client.name, collection_name: collection.name }
    expect(await content('GET', '/accesses', { client: client.id })).toEqual({
      accesses: [{ ...pair, ...names, level: 'read' }],
    })
    expect(await send('POST', '/access', { ...pair, level: 'write' })).toEqual({
      status: 201,
      json: { status: true, content: { access: { ...pair, ...names, level: 'write' } } },
    })
    expect(await content('GET', '/accesses', { collection: collection.id })).toEqual({
      accesses: [{ ...pair, ...names, level: 'write' }],
    })
    expect(await send('DELETE', '/access', pair)).toEqual({ status: 200, json: { status: true } })
    expect(await content('GET', '/accesses', pair)).toEqual({ accesses: [] })
    expect(await send('DELETE', '/access', pair)).toMatchObject(errorReply(404, 'access_not_found'))
  })

  it('is counted and listed, like users and collections', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    await createCollectionAndUser(tested, 'storage')
    const one = { limit: 1, count: true }
    expect(await content('GET', '/accesses', { ...one, client: client.id })).toMatchObject({ nb_results: 1 })
    expect(await content('GET', '/accesses', { ...one, collection: collection.id })).toMatchObject({ nb_results: 1 })
    for (const list of ['clients', 'collections', 'accesses']) {
      const all = (await content('GET', `/${list}`, { limit: 1000 })) as unknown as Record<string, unknown[]>
      const counted = (await content('GET', `/${list}`, one)) as unknown as Record<string, unknown[]>
      expect([counted[list]!.length, counted.nb_results]).toEqual([1, all[list]!.length])
      expect(all).not.toHaveProperty('nb_results')
    }
  })

  it('is rejected for an unknown user, collection or level', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    const grant = (params: object) =>
      send('POST', '/access', { client: client.id, collection: collection.id, level: 'read', ...params })
    expect(await grant({ client: 999_999 })).toMatchObject(errorReply(404, 'client_not_found'))
    expect(await grant({ collection: 999_999 })).toMatchObject(errorReply(404, 'collection_not_found'))
    expect(await grant({ level: 'all' })).toMatchObject(validationError('level'))
    expect(await send('POST', '/access', {})).toMatchObject(validationError('client', 'collection', 'level'))
    expect(await send('DELETE', '/access', {})).toMatchObject(validationError('client', 'collection'))
    expect(await send('GET', '/accesses', { client: 'x' })).toMatchObject(validationError('client'))
  })

  it('of an unknown pair cannot be revoked', async () => {
    const unknown = { client: 999_999, collection: 999_999 }
    expect(await send('DELETE', '/access', unknown)).toMatchObject(errorReply(404, 'access_not_found'))
  })

  it('ends with its collection', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    await send('DELETE', '/collection', { id: collection.id })
    const { collection: again } = await content('POST', '/collection', { name: collection.name, type: 'storage' })
    expect((again as unknown as Collection).name).toBe(collection.name)
    expect((await send('GET', '/documents', { collection: collection.name }, client.secret)).status).toBe(403)
  })
})
