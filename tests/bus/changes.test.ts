// Tests of the replication log: the entries that changes here write, and the changes of other instances that are applied.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { applyChange } from '#bus/apply'
import type { LoggedChange } from '#bus/contract/replication'
import { type Bus, documentsOf } from '#bus/schema'
import { hashOf } from '#bus/secrets'
import { buses, busOn, createCollectionAndUser, errorReply, fresh, type TestedBus, target } from './support.ts'

const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }
const day = 86_400_000
const hash = () => crypto.getRandomValues(new Uint8Array(32)).toHex()

type Data = Record<string, unknown>

const logOf = async ({ content }: TestedBus, id = 0) => {
  const { documents } = await content('GET', '/documents', { collection: 'system', id, limit: 1000 })
  return documents as unknown as { id: number; event: string; uuid: string; data: Data }[]
}

/** The last entry of the replication log, found by reading all its pages. */
const last = async (tested: TestedBus) => {
  let page = await logOf(tested)
  for (let next = page; next.length > 0; next = await logOf(tested, page.at(-1)!.id)) page = next
  return page.at(-1)!
}

const apply = ({ bus, env }: TestedBus, change: object) =>
  applyChange(bus, env, 'admin', change as LoggedChange, new Date())

const stamp = (more: object = {}) => ({ at: Date.now(), origin: 'elsewhere', is_deleted: false, ...more })

const client = (name: string, more: object = {}) => ({
  kind: 'client',
  name,
  secret_hash: hash(),
  is_admin: false,
  is_disabled: false,
  description: null,
  ...stamp(),
  ...more,
})

const collection = (name: string, more: object = {}) => ({
  kind: 'collection',
  name,
  type: 'storage',
  handler: null,
  is_disabled: false,
  description: null,
  ...stamp(),
  ...more,
})

const access = (client: string, collection: string, more: object = {}) => ({
  kind: 'access',
  client,
  collection,
  level: 'read',
  ...stamp(),
  ...more,
})

describe.each(buses(system))('the log of changes on $dialect', (tested) => {
  const { send, content } = tested

  it('has only the newest change of each object, at the end', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    expect((await last(tested)).data).toEqual({
      kind: 'access',
      client: client.name,
      collection: collection.name,
      level: 'write',
      at: expect.any(Number),
      origin: expect.any(String),
      is_deleted: false,
      seen: { [String((await last(tested)).data.origin)]: expect.any(Number) },
    })
    const before = await last(tested)
    await send('PATCH', '/client', { id: client.id, description: 'new' })
    const after = await last(tested)
    expect(after.id).toBeGreaterThan(before.id)
    expect(after).toMatchObject({
      event: 'client',
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      data: {
        kind: 'client',
        name: client.name,
        description: 'new',
        secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(JSON.stringify(after)).not.toContain(client.secret)
    const names = (await logOf(tested)).map(({ data }) => data.name)
    expect(names.filter((name) => name === client.name)).toHaveLength(1)
    const { documents: total } = await content('GET', '/documents/count', { collection: 'system' })
    expect(total).toBeGreaterThanOrEqual(3)
  })

  it('continues after the last read position when it is restored from a backup', async () => {
    const { content, bus } = tested
    const make = async (name: string) => {
      await content('POST', '/client', { name })
      return last(tested)
    }
    const kept = await make(fresh('kept'))
    const lost = await make(fresh('lost'))
    await bus.run(sql`DELETE FROM ${bus.changes} WHERE position > ${kept.id}`)
    const applied = client(fresh('applied'))
    await apply(tested, applied)
    const after = fresh('after')
    await make(after)
    const names = (await logOf(tested, lost.id)).map(({ data }) => data.name)
    expect(names).toEqual([applied.name, after])
  })

  it('contains deletions of objects and of their access', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    const before = await last(tested)
    await send('DELETE', '/collection', { id: collection.id })
    const gone = (await logOf(tested, before.id)).map(({ data }) => data)
    expect(gone).toMatchObject([
      { kind: 'access', client: client.name, collection: collection.name, is_deleted: true },
      { kind: 'collection', name: collection.name, is_deleted: true },
    ])
  })

  it('contains no refused changes', async () => {
    const { collection, client } = await createCollectionAndUser(tested, 'storage')
    const before = await last(tested)
    await send('POST', '/client', { name: client.name })
    await send('POST', '/client', { secret: client.secret })
    await send('PATCH', '/client', { id: 1, secret: 'another-secret-of-admin' })
    await send('POST', '/collection', { name: collection.name, type: 'storage' })
    await send('POST', '/access', { client: 999_999, collection: collection.id, level: 'read' })
    await send('DELETE', '/access', { client: client.id, collection: 999_999 })
    expect(await last(tested)).toEqual(before)
  })

  it('contains no built-in administrator', async () => {
    const { collection } = await createCollectionAndUser(tested, 'storage')
    const { client: admin } = await content('GET', '/client', { name: 'admin' })
    const { id } = admin as unknown as { id: number }
    await send('PATCH', '/client', { id, description: 'root' })
    await send('POST', '/access', { client: id, collection: collection.id, level: 'read' })
    await send('DELETE', '/access', { client: id, collection: collection.id })
    await send('POST', '/access', { client: id, collection: collection.id, level: 'read' })
    await send('DELETE', '/collection', { id: collection.id })
    expect(JSON.stringify(await logOf(tested))).not.toContain('"admin"')
  })

  it('contains the former built-in administrator', async () => {
    const database = { ...tested.env, dialect: '' } as never
    const [name, secret] = [fresh('root'), fresh('the-secret-of-root-')]
    const renamed = busOn(database, { ...system, BOX_ADMIN_USER: name, BOX_ADMIN_SECRET: secret })
    const { documents } = await renamed.content('GET', '/documents', { collection: 'system', limit: 1000 }, secret)
    const names = (documents as unknown as { data: Data }[]).map(({ data }) => data.name)
    expect(names).toContain('admin')
    expect(names).not.toContain(name)
    await busOn(database, system).send('GET', '/clients')
    await send('DELETE', '/client', {
      id: ((await content('GET', '/client', { name })).client as unknown as { id: number }).id,
    })
  })

  it('contains a user again who was the built-in administrator before', async () => {
    const database = { ...tested.env, dialect: '' } as never
    const [name, secret] = [fresh('boss'), fresh('the-secret-of-boss-')]
    await content('POST', '/client', { name })
    const before = await last(tested)
    await busOn(database, { ...system, BOX_ADMIN_USER: name, BOX_ADMIN_SECRET: secret }).send('GET', '/', {}, secret)
    await busOn(database, system).send('GET', '/clients')
    const entries = (await logOf(tested, before.id)).map(({ data }) => data)
    expect(entries).toContainEqual(expect.objectContaining({ name, is_admin: false, is_disabled: true }))
  })

  it('is readable by administrators only, and has the name of the instance', async () => {
    const { client } = await createCollectionAndUser(tested, 'storage')
    for (const path of ['/documents', '/documents/count'])
      expect(await send('GET', path, { collection: 'system' }, client.secret)).toMatchObject(
        errorReply(403, 'forbidden'),
      )
    const { instance } = await content('GET', '/documents', { collection: 'system' })
    expect(instance).toEqual(expect.any(String))
    expect(await content('GET', '/documents', { collection: 'system' })).toMatchObject({ instance })
  })

  it('has the read position of each other instance', async () => {
    const { instances } = await content('GET', '/synchronisation')
    expect(instances).toMatchObject([{ url: 'http://127.0.0.1:1', position: 0, skipped: 0, last_skipped: [] }])
  })
})

describe.each(buses(system))('a change of another instance on $dialect', (tested) => {
  const { send, content } = tested
  const clientNamed = async (name: string) => (await content('GET', '/client', { name })).client

  it('ends access that was granted before a deletion, and keeps access that was granted after it', async () => {
    const [user, orders] = [fresh('user'), fresh('orders')]
    const levels = async () => {
      const { db, accesses } = tested.bus
      return (await db.select().from(accesses)).filter((row) => row.client === user).map(({ level }) => level)
    }
    // All changes have times some seconds ago, as if made on another instance then and read here now.
    await apply(tested, collection(orders, { at: Date.now() - 10_000 }))
    await apply(tested, client(user, { at: Date.now() - 10_000 }))
    await apply(tested, access(user, orders, { at: Date.now() - 9_000 }))
    expect(await levels()).toEqual(['read'])
    const deletedAt = Date.now() - 8_000
    await apply(tested, client(user, { at: deletedAt, is_deleted: true, since: deletedAt + 1 }))
    expect(await levels()).toEqual([])
    await apply(tested, client(user, { at: deletedAt + 1_000, since: deletedAt + 1_000 }))
    await apply(tested, access(user, orders, { at: deletedAt + 2_000, level: 'write' }))
    expect(await levels()).toEqual(['write'])
  })

  it('is applied, and stored in the log with its original time and origin', async () => {
    const change = client(fresh('user'), { description: 'from elsewhere', at: 12 })
    expect(await apply(tested, change)).toBeUndefined()
    expect(await clientNamed(change.name)).toMatchObject({ description: 'from elsewhere' })
    expect((await last(tested)).data).toEqual(change)
  })

  it('creates a collection again that is deleted here at the same time', async () => {
    const { collection: made } = await createCollectionAndUser(tested, 'storage')
    let isDeleted = false
    const batch: Bus['db']['batch'] = async (statements) => {
      if (!isDeleted) await send('DELETE', '/collection', { id: made.id })
      isDeleted = true
      return tested.bus.db.batch(statements)
    }
    const db = new Proxy(tested.bus.db, {
      get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name).bind(of)),
    })
    const change = collection(made.name, { at: Date.now() + day, description: 'again' })
    expect(await apply({ ...tested, bus: { ...tested.bus, db } }, change)).toBeUndefined()
    expect(await content('GET', '/collection', { name: made.name })).toMatchObject({
      collection: { description: 'again' },
    })
    expect((await last(tested)).data).toMatchObject(change)
    await expect(tested.bus.run(sql`SELECT 1 FROM ${documentsOf(tested.bus, made.id)}`)).rejects.toThrow()
  })

  it('is applied once', async () => {
    const change = collection(fresh())
    await apply(tested, change)
    const before = await last(tested)
    await apply(tested, change)
    expect(await last(tested)).toEqual(before)
    expect((await send('GET', '/documents', { collection: change.name })).status).toBe(200)
  })

  it('is applied if it is newer: by time, then by the name of the instance', async () => {
    const name = fresh('user')
    const descriptionAfter = async (more: object) => {
      await apply(tested, client(name, more))
      return ((await clientNamed(name)) as unknown as { description: string }).description
    }
    expect(await descriptionAfter({ at: 10, origin: 'b', description: 'first' })).toBe('first')
    expect(await descriptionAfter({ at: 9, origin: 'z', description: 'older' })).toBe('first')
    expect(await descriptionAfter({ at: 10, origin: 'a', description: 'lower' })).toBe('first')
    expect(await descriptionAfter({ at: 10, origin: 'c', description: 'higher' })).toBe('higher')
    expect(await descriptionAfter({ at: 11, origin: 'a', description: 'newer' })).toBe('newer')
  })

  it('is replaced by a later change here, even if the other clock is ahead', async () => {
    const change = client(fresh('user'), { at: Date.now() + day })
    await apply(tested, change)
    const { id } = (await clientNamed(change.name)) as unknown as { id: number }
    await send('PATCH', '/client', { id, description: 'here' })
    expect((await last(tested)).data).toMatchObject({ name: change.name, at: change.at + 1 })
    await apply(tested, change)
    expect(await clientNamed(change.name)).toMatchObject({ description: 'here' })
  })

  it('disables objects that were deleted on the other instance', async () => {
    const { collection: made, client: user } = await createCollectionAndUser(tested, 'storage')
    const document = { collection: made.name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    await send('POST', '/document', document)
    const later = stamp({ at: Date.now() + day, is_deleted: true })
    await apply(tested, { kind: 'collection', name: made.name, ...later })
    await apply(tested, { kind: 'client', name: user.name, ...later })
    // The deletion of the collection has ended the access at the same time, with the random name of this instance as origin. Between
    // equal times the greater origin wins, so the access is deleted a moment later there.
    await apply(tested, { kind: 'access', client: user.name, collection: made.name, ...later, at: later.at + 1 })
    expect(await content('GET', '/collection', { id: made.id })).toMatchObject({ collection: { is_disabled: true } })
    expect(await clientNamed(user.name)).toMatchObject({ is_disabled: true })
    expect(await content('GET', '/accesses', { client: user.id })).toEqual({ accesses: [] })
    expect(await content('GET', '/documents/count', { collection: made.name })).toEqual({ documents: 1 })
    expect((await last(tested)).data).toMatchObject({ kind: 'access', is_deleted: true })
  })

  it('creates an object again that was deleted here before', async () => {
    const { collection: made } = await createCollectionAndUser(tested, 'storage')
    await send('DELETE', '/collection', { id: made.id })
    await apply(tested, collection(made.name, { at: 1 }))
    expect((await send('GET', '/collection', { name: made.name })).status).toBe(404)
    await apply(tested, collection(made.name, { at: Date.now() + day }))
    expect((await send('GET', '/collection', { name: made.name })).status).toBe(200)
  })

  it('of access may arrive before its user and its collection', async () => {
    const [user, name] = [client(fresh('user')), fresh()]
    const secret = fresh('a-secret-from-elsewhere-')
    await apply(tested, access(user.name, name))
    await apply(tested, { ...user, secret_hash: await hashOf(secret) })
    await apply(tested, collection(name))
    expect((await send('GET', '/documents', { collection: name }, secret)).status).toBe(200)
  })

  it('of access is listed before its user and its collection arrive, and can be revoked', async () => {
    const [user, name] = [fresh('user'), fresh()]
    await apply(tested, access(user, name))
    const { accesses } = await content('GET', '/accesses', { limit: 1000 })
    const ahead = { client: null, collection: null, client_name: user, collection_name: name, level: 'read' }
    expect(accesses).toContainEqual(ahead)
    const named = { client_name: user, collection_name: name }
    expect((await send('DELETE', '/access', named)).status).toBe(200)
    expect((await last(tested)).data).toMatchObject({ client: user, collection: name, is_deleted: true })
    expect(await send('DELETE', '/access', named)).toMatchObject(errorReply(404, 'access_not_found'))
  })

  it('is skipped with a reason if it cannot be applied', async () => {
    const { client: user } = await createCollectionAndUser(tested, 'storage')
    const taken = client(fresh('user'), { secret_hash: await hashOf(user.secret) })
    const before = await last(tested)
    expect(await apply(tested, taken)).toMatch('secret')
    expect(await apply(tested, client('admin'))).toMatch('built-in')
    expect(await apply(tested, collection('system'))).toMatch('reserved')
    expect(await apply(tested, collection(fresh(), { type: 'sync' }))).toMatch('no handler')
    expect(await apply(tested, collection(fresh(), { type: 'sync', handler: 'ftp://x' }))).toMatch('handler')
    expect(await last(tested)).toEqual(before)
  })

  it('is applied by last write wins, for concurrent changes in any order', async () => {
    const name = fresh()
    const changes = Array.from({ length: 20 }, (_, at) => collection(name, { at: at + 1, description: `${at + 1}` }))
    await Promise.all(changes.toSorted(() => Math.random() - 0.5).map((change) => apply(tested, change)))
    expect(await content('GET', '/collection', { name })).toMatchObject({ collection: { description: '20' } })
    expect((await last(tested)).data).toMatchObject({ name, at: 20 })
  })

  it('creates a working collection', async () => {
    const name = fresh()
    await apply(tested, collection(name, { type: 'sync', handler: target('/echo') }))
    const document = { collection: name, event: 'e', uuid: crypto.randomUUID(), data: 1 }
    expect(await content('POST', '/document', document)).toMatchObject({ response: { status_code: 200 } })
  })
})
