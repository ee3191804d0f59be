import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { createTable } from '#core/db/create'
import { invalid } from '#core/failure'
import { objectionTo, type TargetEnv } from '#core/outgoing/url'
import { logChange } from './changes.ts'
import { closeCircuit, deleteCircuits } from './circuit.ts'
import type { BusPaging, CollectionBy, CollectionChanges, CollectionDeletion, NewCollection, Type } from './contract.ts'
import { failure, missing } from './errors.ts'
import { isTableGone } from './missing-table.ts'
import { type Bus, documentsOf } from './schema.ts'
import { changesTurn, takeTurn } from './turn.ts'

const shown = ({ id, name, type, handler, is_disabled, description, created_at, updated_at }: Bus['collections']) => ({
  id,
  name,
  type: sql<Type>`${type}`,
  handler,
  is_disabled,
  description,
  created_at,
  updated_at,
})

/** The log of changes, which looks like a collection: the bus alone writes it. */
export const systemName = 'system'

export const reserved = () => failure('collection_reserved')

/** Creates a collection and its table. 409 where the name is taken or reserved. */
export async function createCollection(bus: Bus, env: TargetEnv, given: NewCollection, now: Date) {
  if (given.name === systemName) throw reserved()
  checkHandler(env, given)
  const { db, collections, accesses } = bus
  const id = await reserveName(bus, given.name, now)
  // A crash before this leaves a name without a table, which is not found, and which whoever comes next makes his.
  const isMine = and(eq(collections.id, id), eq(collections.is_ready, false))!
  // A new collection has no access that another instance has granted on a deleted one of the same name.
  const isLeft = sql`collection IN (SELECT name FROM ${collections} WHERE ${isMine})`
  const left = sql`SELECT client, collection FROM ${accesses} WHERE ${isLeft}`
  const results = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'access', is_deleted: true, what: left }, now),
    db.delete(accesses).where(isLeft),
    logChange(bus, { kind: 'collection', is_deleted: false, isCreated: true, what: named(bus, isMine) }, now),
    db
      .update(collections)
      .set({ ...given, handler: given.handler ?? null, is_ready: true, created_at: now, updated_at: now })
      .where(isMine)
      .returning(shown(collections)),
    ...tableOf(bus, id),
  ])
  const [created] = results[4]
  if (!created) throw failure('name_taken', `Another collection is named ${JSON.stringify(given.name)}.`)
  return created
}

/** The id of a collection, whose name is from now on not free, though nobody finds it before it is ready. */
export async function reserveName({ db, collections }: Bus, name: string, now: Date): Promise<number> {
  const times = { created_at: now, updated_at: now }
  await db
    .insert(collections)
    .values({ name, type: 'storage', is_disabled: false, is_ready: false, ...times })
    .onConflictDoNothing()
  const [row] = await db.select({ id: collections.id }).from(collections).where(eq(collections.name, name))
  return row!.id
}

/** The statements that make the table of a collection, where it is not there. */
export const tableOf = (bus: Bus, id: number) =>
  createTable(bus.dialect, documentsOf(bus, id)).map((statement) => bus.run(statement))

const named = ({ collections }: Bus, chosen: SQL) =>
  sql`SELECT '' AS client, name AS collection FROM ${collections} WHERE ${chosen}`

/** Refuses a handler that is missing or must not be called. */
function checkHandler(env: TargetEnv, { type, handler }: { type: Type; handler?: string | null | undefined }) {
  if (!handler && type !== 'storage') throw invalid('handler', 'Is required for sync and async')
  const objection = handler ? objectionTo(handler, env) : undefined
  if (objection) throw invalid('handler', objection)
}

/** Changes a collection. What it has taken goes on as it was meant: a document with a webhook is delivered. */
export async function changeCollection(bus: Bus, env: TargetEnv, { id, ...given }: CollectionChanges, now: Date) {
  const { db, collections } = bus
  const before = await findCollection(bus, { id })
  checkHandler(env, { type: given.type ?? before.type, handler: given.handler ?? before.handler })
  const chosen = and(eq(collections.id, id), eq(collections.is_ready, true))!
  const [, , [changed]] = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'collection', is_deleted: false, what: named(bus, chosen) }, now),
    db
      .update(collections)
      .set({ ...given, updated_at: now })
      .where(chosen)
      .returning(shown(collections)),
    // Another handler is called without waiting for the next probe of the one before.
    ...(given.handler === undefined ? [] : [closeCircuit(bus, { collection: id, origin: '' })]),
  ])
  if (!changed) throw missing('collection', { id })
  return changed
}

/**
 * Deletes a collection, its table, and what was granted on it. 409 where it has documents, unless forced. From the first
 * batch on it takes no document, so that the table goes with none that was not to go; a crash before that leaves a table
 * whose id nothing has again.
 */
export async function deleteCollection(bus: Bus, { id, force }: CollectionDeletion, now: Date): Promise<void> {
  const { db, collections, accesses } = bus
  const { name } = await findCollection(bus, { id })
  const documents = documentsOf(bus, id)
  const isEmpty = force ? undefined : sql`NOT EXISTS (SELECT 1 FROM ${documents})`
  const chosen = and(eq(collections.id, id), isEmpty)!
  const isGranted = and(eq(accesses.collection, name), isEmpty)!
  const granted = sql`SELECT client, collection FROM ${accesses} WHERE ${isGranted}`
  const batch = db.batch([
    takeTurn(bus, changesTurn),
    takeTurn(bus, id),
    logChange(bus, { kind: 'access', is_deleted: true, what: granted }, now),
    logChange(bus, { kind: 'collection', is_deleted: true, what: named(bus, chosen) }, now),
    db.delete(accesses).where(isGranted),
    db.delete(collections).where(chosen).returning({ id: collections.id }),
    deleteCircuits(bus, id),
  ])
  const [, , , , , deleted] = await batch.catch(goneToo)
  if (deleted.length === 0) {
    await findCollection(bus, { id })
    throw failure('collection_not_empty')
  }
  await bus.run(sql`DROP TABLE IF EXISTS ${documents}`)
}

/** Somebody else has deleted it meanwhile. */
function goneToo(error: unknown): never {
  throw isTableGone(error) ? missing('collection') : error
}

export async function findCollection({ db, collections }: Bus, { id, name }: CollectionBy) {
  const chosen = and(
    eq(collections.is_ready, true),
    id === undefined ? undefined : eq(collections.id, id),
    name === undefined ? undefined : eq(collections.name, name),
  )
  const [found] = await db.select(shown(collections)).from(collections).where(chosen)
  if (!found) throw missing('collection', name === undefined ? { id: id! } : { name })
  return found
}

export async function listCollections({ db, collections }: Bus, { limit, offset, count }: BusPaging) {
  const isReady = eq(collections.is_ready, true)
  const page = db
    .select(shown(collections))
    .from(collections)
    .where(isReady)
    .orderBy(asc(collections.id))
    .limit(limit)
    .offset(offset)
  return { collections: await page, ...(count && { nb_results: await db.$count(collections, isReady) }) }
}
