// Collections: creates, changes, deletes and lists them. Each collection has a table for its documents.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { createTable } from '#core/db/create'
import { isTableGone } from '#core/db/missing-table'
import { invalid } from '#core/failure'
import { objectionTo, type TargetEnv } from '#core/outgoing/url'
import { logChange } from './changes.ts'
import { closeCircuit, deleteCircuits, listCircuits } from './circuit.ts'
import type {
  BusPaging,
  CollectionBy,
  CollectionChanges,
  CollectionDeletion,
  NewCollection,
  OpenCircuit,
  Type,
} from './contract.ts'
import { failure, missing } from './errors.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import { purgeLater } from './purge.ts'
import { type Bus, deletedUuid, documentsOf } from './schema.ts'

const publicColumns = ({
  id,
  name,
  type,
  handler,
  retention,
  concurrency,
  retry_rejected,
  is_disabled,
  description,
  created_at,
  updated_at,
}: Bus['collections']) => ({
  id,
  name,
  type: sql<Type>`${type}`,
  handler,
  retention,
  concurrency,
  retry_rejected,
  is_disabled,
  description,
  created_at,
  updated_at,
})

/** Name of the replication log, which is read like a collection. Only the bus writes it. */
export const systemName = 'system'

export const reserved = () => failure('collection_reserved')

/** Creates a collection and its table. 409 if the name is taken or reserved. */
export async function createCollection(bus: Bus, env: TargetEnv, collection: NewCollection, now: Date) {
  if (collection.name === systemName) throw reserved()
  checkHandler(env, collection)
  const { db, collections, accesses, subscriptions } = bus
  const id = await reserveName(bus, collection.name, now)
  // A crash before this batch leaves a reserved name without a table, which is not listed. The next call with the name takes it over.
  const isReserved = and(eq(collections.id, id), eq(collections.is_ready, false))!
  // Another instance may have granted access to a deleted collection of the same name, which is not for the new one: revoke it.
  const isLeftover = sql`collection IN (SELECT name FROM ${collections} WHERE ${isReserved})`
  const leftovers = sql`SELECT client, collection FROM ${accesses} WHERE ${isLeftover}`
  const results = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'access', is_deleted: true, what: leftovers }, now),
    db.delete(accesses).where(isLeftover),
    logChange(bus, { kind: 'subscription', is_deleted: true, what: subscribed(bus, isLeftover) }, now),
    db.delete(subscriptions).where(isLeftover),
    logChange(bus, { kind: 'collection', is_deleted: false, isCreated: true, what: named(bus, isReserved) }, now),
    db
      .update(collections)
      .set({
        ...collection,
        ...settingsIn(collection),
        handler: collection.handler ?? null,
        is_ready: true,
        created_at: now,
        updated_at: now,
      })
      .where(isReserved)
      .returning(publicColumns(collections)),
    ...tableOf(bus, id),
  ])
  const [created] = results[6]
  if (!created) throw failure('name_taken', `Another collection is named ${JSON.stringify(collection.name)}.`)
  return { ...created, ...noCircuits }
}

/** The stored settings: 0 stands for the default, which is stored as null. */
const settingsIn = ({ retention, concurrency }: Pick<CollectionChanges, 'retention' | 'concurrency'>) => ({
  ...(retention !== undefined && { retention: retention || null }),
  ...(concurrency !== undefined && { concurrency: concurrency || null }),
})

/** Reserves the name of a collection and returns its id. The collection is not listed before `is_ready`. */
export async function reserveName({ db, collections }: Bus, name: string, now: Date): Promise<number> {
  const times = { created_at: now, updated_at: now }
  await db
    .insert(collections)
    .values({ name, type: 'storage', is_disabled: false, is_ready: false, ...times })
    .onConflictDoNothing()
  const [row] = await db.select({ id: collections.id }).from(collections).where(eq(collections.name, name))
  return row!.id
}

/** Statements that create the documents table of a collection if it does not exist. */
export const tableOf = (bus: Bus, id: number) =>
  createTable(bus.dialect, documentsOf(bus, id)).map((statement) => bus.run(statement))

/** SQL: the subscriptions to a collection. */
const subscribed = ({ subscriptions }: Bus, isChosen: SQL) =>
  sql`SELECT id AS client, collection FROM ${subscriptions} WHERE ${isChosen}`

const named = ({ collections }: Bus, chosen: SQL) =>
  sql`SELECT '' AS client, name AS collection FROM ${collections} WHERE ${chosen}`

/** Throws 400 if the handler is missing or its URL is not allowed. */
function checkHandler(env: TargetEnv, { type, handler }: { type: Type; handler?: string | null | undefined }) {
  if (!handler && type !== 'storage')
    throw invalid('handler', 'Is required for collections of the types sync and async')
  const objection = handler ? objectionTo(handler, env) : undefined
  if (objection) throw invalid('handler', objection)
}

/** Changes a collection. A new type applies to new documents only: documents with a webhook, sent while it was async, are still delivered. */
export async function changeCollection(bus: Bus, env: TargetEnv, { id, ...changes }: CollectionChanges, now: Date) {
  const { db, collections } = bus
  const before = await findCollection(bus, { id })
  checkHandler(env, { type: changes.type ?? before.type, handler: changes.handler ?? before.handler })
  const chosen = and(eq(collections.id, id), eq(collections.is_ready, true))!
  const [, , [changed]] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'collection', is_deleted: false, what: named(bus, chosen) }, now),
    db
      .update(collections)
      .set({ ...changes, ...settingsIn(changes), updated_at: now })
      .where(chosen)
      .returning(publicColumns(collections)),
    // Closes the circuit of the old handler, so that a new handler is called at once instead of at the next probe.
    ...(changes.handler === undefined ? [] : [closeCircuit(bus, { collection: id, origin: '' })]),
  ])
  if (!changed) throw missing('collection', { id })
  return (await withCircuits(bus, [changed]))[0]!
}

/**
 * Deletes a collection, its table and the access to it. 409 if it has documents, unless `force`. After the batch the collection
 * accepts no documents, so the table can be dropped safely. A crash in between leaves an unused table, whose id is never reused.
 */
export async function deleteCollection(bus: Bus, { id, force }: CollectionDeletion, now: Date): Promise<void> {
  const { db, collections, accesses, subscriptions } = bus
  const { name } = await findCollection(bus, { id })
  const documents = documentsOf(bus, id)
  const isEmpty = force ? undefined : sql`NOT EXISTS (SELECT 1 FROM ${documents} WHERE uuid <> ${deletedUuid})`
  const chosen = and(eq(collections.id, id), isEmpty)!
  const isGranted = and(eq(accesses.collection, name), isEmpty)!
  const granted = sql`SELECT client, collection FROM ${accesses} WHERE ${isGranted}`
  const isSubscribed = and(eq(subscriptions.collection, name), isEmpty)!
  const batch = db.batch([
    lockForBatch(bus, changeLogLock),
    lockForBatch(bus, id),
    logChange(bus, { kind: 'access', is_deleted: true, what: granted }, now),
    logChange(bus, { kind: 'subscription', is_deleted: true, what: subscribed(bus, isSubscribed) }, now),
    logChange(bus, { kind: 'collection', is_deleted: true, what: named(bus, chosen) }, now),
    db.delete(accesses).where(isGranted),
    db.delete(subscriptions).where(isSubscribed),
    db.delete(collections).where(chosen).returning({ id: collections.id }),
    purgeLater(bus, { collection: id }, now),
  ])
  const [, , , , , , , deleted] = await batch.catch(throwMissing)
  if (deleted.length === 0) {
    await findCollection(bus, { id })
    throw failure('collection_not_empty')
  }
  await deleteCircuits(bus, id)
  await bus.run(sql`DROP TABLE IF EXISTS ${documents}`)
}

/** Throws 404 for the database error of a missing table, since the collection was deleted concurrently; other errors unchanged. */
function throwMissing(error: unknown): never {
  throw isTableGone(error) ? missing('collection') : error
}

export async function findCollection({ db, collections }: Bus, { id, name }: CollectionBy) {
  const chosen = and(
    eq(collections.is_ready, true),
    id === undefined ? undefined : eq(collections.id, id),
    name === undefined ? undefined : eq(collections.name, name),
  )
  const [found] = await db.select(publicColumns(collections)).from(collections).where(chosen)
  if (!found) throw missing('collection', name === undefined ? { id: id! } : { name })
  return found
}

/** Finds a collection with the state of its circuits. */
export async function describeCollection(bus: Bus, by: CollectionBy) {
  return (await withCircuits(bus, [await findCollection(bus, by)]))[0]!
}

const noCircuits = { circuit: 'closed' as const, circuits: [] }

/** Adds the state of their circuits to collections. */
async function withCircuits<Row extends { id: number }>(bus: Bus, rows: Row[]) {
  const open =
    rows.length > 0
      ? await listCircuits(
          bus,
          rows.map(({ id }) => id),
          new Date(),
        )
      : new Map<number, OpenCircuit[]>()
  return rows.map((row) => {
    const circuits = open.get(row.id) ?? []
    const ofHandler = circuits.find(({ destination }) => destination === 'handler')
    return { ...row, circuit: ofHandler?.state ?? ('closed' as const), circuits }
  })
}

export async function listCollections(bus: Bus, { limit, offset, count }: BusPaging) {
  const { db, collections } = bus
  const isReady = eq(collections.is_ready, true)
  const page = db
    .select(publicColumns(collections))
    .from(collections)
    .where(isReady)
    .orderBy(asc(collections.id))
    .limit(limit)
    .offset(offset)
  return {
    collections: await withCircuits(bus, await page),
    ...(count && { nb_results: await db.$count(collections, isReady) }),
  }
}
