// Tests of replication between two instances, one on D1 and one on Postgres, in both roles: changes and conflicts.
import { neonConfig } from '@neondatabase/serverless'
import { describe, expect, it } from 'vitest'
import { LogPage } from '#bus/contract/replication'
import { replicate } from '#bus/replication'
import { countSkipped } from '#bus/skipped-changes'
import { buses, busOn, errorReply, fresh, type TestedBus, target } from './support.ts'

const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1' }
const [first, second] = buses(system) as [TestedBus, TestedBus]

interface NamedObject {
  id: number
  name: string
  secret: string
}

/** Makes `to` read and apply all new changes in the log of `from`. */
async function pull(to: TestedBus, from: TestedBus, env = to.env) {
  const readPage = async (id: number) =>
    LogPage.parse(await from.content('GET', '/documents', { collection: 'system', id, limit: 100 }))
  const skipped = []
  for (let isBehind = true; isBehind; ) {
    const progress = await replicate(to.bus, env, 'admin', `http://${from.dialect.replaceAll(' ', '')}`, readPage)
    skipped.push(...progress.skipped)
    isBehind = progress.isBehind
  }
  return skipped
}

const clientOf = async ({ content }: TestedBus, name: string) =>
  (await content('GET', '/client', { name }))?.client as unknown as NamedObject | undefined
const collectionOf = async ({ content }: TestedBus, name: string) =>
  (await content('GET', '/collection', { name }))?.collection as unknown as NamedObject | undefined

const createClient = async ({ content }: TestedBus, name: string, more: object = {}) =>
  (await content('POST', '/client', { name, ...more })).client as unknown as NamedObject
const createCollection = async ({ content }: TestedBus, name: string, more: object = {}) =>
  (await content('POST', '/collection', { name, type: 'storage', ...more })).collection as unknown as NamedObject

/** Grants a user write access to a collection, both by name. */
async function grant(tested: TestedBus, client: string, collection: string) {
  const ids = { client: (await clientOf(tested, client))!.id, collection: (await collectionOf(tested, collection))!.id }
  expect((await tested.send('POST', '/access', { ...ids, level: 'write' })).status).toBe(201)
}

const write = async ({ send }: TestedBus, collection: string, secret: string) => {
  const document = { collection, event: 'e', uuid: crypto.randomUUID(), data: 1 }
  return (await send('POST', '/document', document, secret)).status
}

const accessesOf = async ({ content }: TestedBus, name: string) => {
  const { accesses } = await content('GET', '/accesses', { limit: 1000 })
  const all = accesses as unknown as { client_name: string; collection_name: string }[]
  return all.filter(({ client_name, collection_name }) => [client_name, collection_name].includes(name))
}

const conflictsOf = async ({ content }: TestedBus, name: string) => {
  const { conflicts } = await content('GET', '/synchronisation')
  const all = conflicts as unknown as Record<string, unknown>[]
  return all.filter((conflict) => [conflict.name, conflict.client, conflict.collection].includes(name))
}

describe.each([
  { here: first, there: second, which: `${first.dialect} and ${second.dialect}` },
  { here: second, there: first, which: `${second.dialect} and ${first.dialect}` },
])('two instances on $which', ({ here, there }) => {
  const both = [here, there]
  /** Each instance reads the other one twice, so that resolved conflicts are replicated too. */
  const connect = async () => {
    for (const _ of ['once', 'again']) {
      await pull(here, there)
      await pull(there, here)
    }
  }

  /** A user and a collection that both instances know. */
  const shared = async () => {
    const [user, collection] = [fresh('user'), fresh()]
    await createClient(here, user)
    await createCollection(here, collection)
    await connect()
    return { user, collection }
  }

  it('have the same subscriptions and signing secrets, and sign with them', async () => {
    const { collection } = await shared()
    const created = await here.content('POST', '/subscription', { collection, url: target('/echo'), events: ['a'] })
    const { id } = created.subscription as unknown as { id: string }
    await here.send('POST', '/signing-secret', { collection, target: 'https://partner.example' })
    await here.send('POST', '/signing-secret', { collection, target: id })
    await connect()
    const listed = async ({ content }: TestedBus) => {
      const { subscriptions } = await content('GET', '/subscriptions', { collection })
      return (subscriptions as unknown as object[]).map((one) => ({ ...one, created_at: null, updated_at: null }))
    }
    expect(await listed(there)).toEqual(await listed(here))
    expect(await listed(there)).toMatchObject([{ id, events: ['a'], secrets: 2 }])
    const secretsOf = async ({ bus }: TestedBus) =>
      (await bus.db.select().from(bus.subscriptions)).find((one) => one.id === id)!.secrets
    expect(await secretsOf(there)).toEqual(await secretsOf(here))
    const targets = { signing_secrets: [{ target: 'https://partner.example', secrets: 1 }] }
    expect(await there.content('GET', '/signing-secrets', { collection })).toEqual(targets)
    await there.send('PATCH', '/subscription', { id, is_disabled: true })
    await connect()
    expect(await listed(here)).toMatchObject([{ is_disabled: true }])
    await there.send('DELETE', '/subscription', { id })
    await connect()
    expect([await listed(here), await listed(there)]).toEqual([[], []])
  })

  it('give a new collection no subscription to a deleted one of the same name', async () => {
    const { collection } = await shared()
    await here.send('DELETE', '/collection', { id: (await collectionOf(here, collection))!.id })
    await there.send('POST', '/subscription', { collection, url: target('/echo') })
    await createCollection(here, collection)
    await connect()
    for (const each of both)
      expect(await each.content('GET', '/subscriptions', { collection })).toMatchObject({ subscriptions: [] })
  })

  it('have the same settings of a collection', async () => {
    const { collection } = await shared()
    const settings = { retention: 9, concurrency: 4, retry_rejected: true }
    await here.send('PATCH', '/collection', { id: (await collectionOf(here, collection))!.id, ...settings })
    await connect()
    expect(await collectionOf(there, collection)).toMatchObject(settings)
  })

  it('give a new user no access that the other instance granted to a deleted user of the same name', async () => {
    const { user, collection } = await shared()
    await here.send('DELETE', '/client', { id: (await clientOf(here, user))!.id })
    await grant(there, user, collection)
    await connect()
    expect([await accessesOf(here, user), await accessesOf(there, user)]).toEqual([[], []])
    const { secret } = await createClient(here, user)
    await connect()
    for (const each of both) expect(await write(each, collection, secret)).toBe(403)
  })

  it('give a new user no access that the other instance granted before it read the deletion', async () => {
    const { user, collection } = await shared()
    await here.send('DELETE', '/client', { id: (await clientOf(here, user))!.id })
    await grant(there, user, collection)
    const { secret } = await createClient(here, user)
    await connect()
    expect([await accessesOf(here, user), await accessesOf(there, user)]).toEqual([[], []])
    for (const each of both) expect(await write(each, collection, secret)).toBe(403)
    await grant(there, user, collection)
    await connect()
    for (const each of both) expect(await write(each, collection, secret)).toBe(201)
  })

  it('give no access to a new collection that was granted on a deleted one of the same name', async () => {
    const { user, collection } = await shared()
    const secret = fresh('a-secret-of-a-user-')
    await here.send('PATCH', '/client', { id: (await clientOf(here, user))!.id, secret })
    await connect()
    await here.send('DELETE', '/collection', { id: (await collectionOf(here, collection))!.id })
    await grant(there, user, collection)
    await createCollection(here, collection)
    await connect()
    expect([await accessesOf(here, collection), await accessesOf(there, collection)]).toEqual([[], []])
    for (const each of both) expect(await write(each, collection, secret)).toBe(403)
  })

  it('give a replicated user no access that was granted here to a user of the same name', async () => {
    const { user, collection } = await shared()
    await grant(here, user, collection)
    await there.send('DELETE', '/client', { id: (await clientOf(there, user))!.id })
    const { secret } = await createClient(there, user)
    await connect()
    for (const each of both) expect(await write(each, collection, secret)).toBe(403)
  })

  it('end access when the other instance deletes the collection', async () => {
    const { user, collection } = await shared()
    await there.send('DELETE', '/collection', { id: (await collectionOf(there, collection))!.id })
    await grant(here, user, collection)
    await connect()
    expect([await accessesOf(here, collection), await accessesOf(there, collection)]).toEqual([[], []])
    expect(await collectionOf(here, collection)).toMatchObject({ is_disabled: true })
  })

  it('list the replaced value as a conflict if both created the same object', async () => {
    const [user, collection] = [fresh('shop'), fresh('orders')]
    const { secret } = await createClient(here, user, { description: 'here' })
    await createCollection(here, collection, { description: 'here' })
    await createClient(there, user, { description: 'there', is_admin: true })
    await createCollection(there, collection, { type: 'sync', handler: target('/echo') })
    await connect()
    const times = { replaced_at: expect.any(String), kept_at: expect.any(String), found_at: expect.any(String) }
    expect(await conflictsOf(here, user)).toEqual([
      {
        ...{ kind: 'client', name: user, ...times, kept_origin: expect.any(String) },
        replaced: { is_admin: false, is_disabled: false, description: 'here', is_secret_replaced: true },
        kept: { is_admin: true, is_disabled: false, description: 'there' },
      },
    ])
    expect(await conflictsOf(here, collection)).toMatchObject([
      {
        kind: 'collection',
        replaced: { type: 'storage', handler: null, is_disabled: false, description: 'here' },
        kept: { type: 'sync', handler: target('/echo') },
      },
    ])
    expect([await conflictsOf(there, user), await conflictsOf(there, collection)]).toEqual([[], []])
    expect((await here.send('GET', '/clients', {}, secret)).status).toBe(401)
  })

  it('list a change replaced by a deletion, and a deletion replaced by a change', async () => {
    const [changed, deleted] = [await shared(), await shared()]
    await here.send('PATCH', '/client', { id: (await clientOf(here, changed.user))!.id, description: 'new' })
    await here.send('DELETE', '/collection', { id: (await collectionOf(here, deleted.collection))!.id })
    await there.send('DELETE', '/client', { id: (await clientOf(there, changed.user))!.id })
    const { id } = (await collectionOf(there, deleted.collection))!
    await there.send('PATCH', '/collection', { id, description: 'kept' })
    await connect()
    expect(await conflictsOf(here, changed.user)).toMatchObject([
      { replaced: { description: 'new', is_secret_replaced: true }, kept: { is_deleted: true } },
    ])
    expect(await conflictsOf(here, deleted.collection)).toMatchObject([
      { replaced: { is_deleted: true }, kept: { description: 'kept' } },
    ])
  })

  it('list no conflict for a change that the other knew, or for two changes to the same value', async () => {
    const { user, collection } = await shared()
    const describe = async (tested: TestedBus, description: string) =>
      tested.send('PATCH', '/client', { id: (await clientOf(tested, user))!.id, description })
    await describe(here, 'one')
    await connect()
    await describe(there, 'two')
    await describe(there, 'three')
    await connect()
    await describe(here, 'four')
    await connect()
    await grant(here, user, collection)
    await grant(there, user, collection)
    await connect()
    for (const each of both) {
      expect([await conflictsOf(each, user), await conflictsOf(each, collection)]).toEqual([[], []])
      expect(await clientOf(each, user)).toMatchObject({ description: 'four' })
    }
  })

  it('try a skipped change again', async () => {
    await connect()
    const url = `http://${here.dialect}`
    const strict = { ...there.env, ALLOW_PRIVATE_TARGETS: 'false' }
    const [name, other] = [fresh(), fresh()]
    await createCollection(here, name, { type: 'sync', handler: target('/echo') })
    const { id } = await createCollection(here, other, { type: 'sync', handler: target('/echo') })
    expect(await pull(there, here, strict)).toHaveLength(2)
    expect(await countSkipped(there.bus, url)).toBe(2)
    const retried = () => there.bus.db.update(there.bus.skipped).set({ tried_at: new Date(0) })
    await retried()
    await pull(there, here, strict)
    expect(await countSkipped(there.bus, url)).toBe(2)
    expect(await collectionOf(there, name)).toBeUndefined()
    // A skipped change that a newer change has replaced is deleted instead of retried.
    await here.send('PATCH', '/collection', { id, type: 'storage' })
    await pull(there, here)
    await retried()
    await pull(there, here)
    expect(await countSkipped(there.bus, url)).toBe(0)
    expect(await collectionOf(there, name)).toMatchObject({ type: 'sync' })
    expect(await collectionOf(there, other)).toMatchObject({ type: 'storage' })
  })
})

describe('the log of changes', () => {
  it('is read from the primary, not from a replica', async () => {
    const postgres = buses(system).find(({ dialect }) => dialect === 'Postgres')!
    const database = { ...postgres.env, dialect: 'a replica' } as never
    const behind = busOn(database, { ...system, PG_SLAVES: 'behind.neon.tech' })
    const name = fresh('user')
    const { fetchFunction } = neonConfig
    // The read replica is a different, empty database: a replica that lags behind forever. No read of the log may use it.
    const DATABASE_URL = String(postgres.env.DATABASE_URL).replace(/\/bus-\w+/, '/bus-behind')
    await busOn({ dialect: 'another', DATABASE_URL } as never, system).send('GET', '/clients')
    neonConfig.fetchFunction = (url: string, init: { headers: Record<string, string> }) => {
      const headers = Object.entries(init.headers).map(([header, value]) => [
        header,
        value.includes('@behind.neon.tech') ? value.replace(/\/bus-\w+/, '/bus-behind') : value,
      ])
      return fetchFunction(url, { ...init, headers: Object.fromEntries(headers) })
    }
    try {
      await createClient(behind, name)
      expect(await behind.content('GET', '/clients', { count: true })).toMatchObject({ nb_results: 1 })
      await pull(first, behind)
    } finally {
      neonConfig.fetchFunction = fetchFunction
    }
    expect(await clientOf(first, name)).toBeDefined()
  })
})

describe('a new user or collection', () => {
  it.each([first, second])('has no access that was granted before its creation', async (tested) => {
    const [user, collection] = [fresh('user'), fresh()]
    const stale = [
      { client: user, collection: (await createCollection(tested, fresh())).name, level: 'write' },
      { client: (await createClient(tested, fresh('user'))).name, collection, level: 'write' },
    ]
    await tested.bus.db.insert(tested.bus.accesses).values(stale)
    const { secret } = await createClient(tested, user)
    await createCollection(tested, collection)
    expect([await accessesOf(tested, user), await accessesOf(tested, collection)]).toEqual([[], []])
    expect(await tested.send('GET', '/documents', { collection: stale[0]!.collection }, secret)).toMatchObject(
      errorReply(403, 'forbidden'),
    )
  })
})
