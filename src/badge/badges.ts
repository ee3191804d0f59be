// Adds, lists and deletes badges. Each write updates the counters of the paths in the same batch, so that they are always correct.
// `counters.ts` reads the counters.
import { and, count, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import type { BadgeFilter, BadgeOf, BadgesOf, NewBadge } from './contract.ts'
import { missing } from './errors.ts'
import { nameOf, pathOf, pathsAbove, rangeOf } from './path.ts'
import { removeBadges } from './removal.ts'
import type { BadgeStore } from './schema.ts'

// Every write first changes the user's counter of the empty path, the number of all badges. On Postgres this locks out other
// writers of the same user until the batch ends, so that each statement sees all earlier writes. D1 runs one batch at a time.

/** Adds a badge, and increments the counters of its path and of all paths above it. */
export async function addBadge({ db, badges, counters }: BadgeStore, { name, ...badge }: NewBadge, created_at: Date) {
  const { collection, user } = badge
  const path = pathOf(name)
  await db.batch([
    db
      .insert(counters)
      .values([...pathsAbove(path), path].map((path) => ({ collection, user, path, count: 1 })))
      .onConflictDoUpdate({ target: keyOf(counters), set: { count: sql`${counters.count} + 1` } }),
    db.insert(badges).values({ ...badge, path, created_at }),
  ])
}

/**
 * Lists a page of badges at or below a name, newest first. Badges created before `cutoff` have expired and are left out. A page
 * ends early at 8 MB.
 */
export async function listBadges(
  { db, badges }: BadgeStore,
  { name, limit, offset, count: isCounted, ...owner }: BadgeFilter,
  cutoff: Date | undefined,
) {
  const { path, user, payload, created_at } = badges
  const condition = and(
    ownedBy(badges, owner),
    name === undefined ? undefined : atOrBelow(badges, pathOf(name)),
    cutoff && gte(created_at, cutoff),
  )
  const size = sizeOf(payload)
  const columns = { id: badges.id, path, user, created_at, size }
  const page = db
    .select({ ...columns, payload: textIfFits(size, limit, payload) })
    .from(badges)
    .where(condition)
    .orderBy(desc(badges.id))
    .limit(limit)
    .offset(offset)
  const total = db.select({ nb_results: count() }).from(badges).where(condition)
  const [rowsOfPage, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  const { rows, isCut } = await fillPage(rowsOfPage, limit, (ids) =>
    db
      .select({ ...columns, payload: sql<string | null>`${payload}` })
      .from(badges)
      .where(inArray(badges.id, ids)),
  )
  return {
    badges: rows.map(({ id, path, user, payload, created_at }) => ({
      id,
      name: nameOf(path),
      user,
      payload: payload!,
      created_at,
    })),
    ...(isCut && { has_more: true as const }),
    ...counted,
  }
}

/** Deletes the badge with an id. Throws 404 if the user has no such badge in the collection. */
export async function deleteBadge(store: BadgeStore, { id, ...owner }: BadgeOf): Promise<void> {
  const { badges } = store
  const ids = sql`(SELECT id FROM ${badges} WHERE ${and(ownedBy(badges, owner), eq(badges.id, id))})`
  if ((await removeBadges(store, ids)) === 0) throw missing('badge', { id })
}

/** Deletes the badges at or below a name, or without a name all badges of the user. Returns the number of deleted badges. */
export async function deleteBadges(store: BadgeStore, { name, ...owner }: BadgesOf): Promise<number> {
  const { db, badges, counters } = store
  const path = name === undefined ? '' : pathOf(name)
  const isAbove = inArray(counters.path, pathsAbove(path))
  const results = await db.batch([
    db
      .insert(counters)
      .values({ ...owner, path: '', count: 0 })
      .onConflictDoUpdate({ target: keyOf(counters), set: { count: sql`${counters.count}` } }),
    db
      .update(counters)
      .set({ count: sql`${counters.count} - ${countAt(store, owner, path)}` })
      .where(and(ownedBy(counters, owner), isAbove)),
    db.delete(counters).where(and(ownedBy(counters, owner), isAbove, eq(counters.count, 0))),
    db.delete(counters).where(and(ownedBy(counters, owner), atOrBelow(counters, path))),
    db.delete(badges).where(and(ownedBy(badges, owner), atOrBelow(badges, path))),
  ])
  return affectedRows(results[4])
}

type Owner = Pick<BadgesOf, 'collection' | 'user'>
type Owned = BadgeStore['badges'] | BadgeStore['counters']

const keyOf = ({ collection, user, path }: BadgeStore['counters']) => [collection, user, path]

export const ownedBy = (table: Owned, { collection, user }: Owner) =>
  and(eq(table.collection, collection), eq(table.user, user))

function atOrBelow(table: Owned, path: string) {
  const { from, to } = rangeOf(path)
  return and(gte(table.path, from), to === undefined ? undefined : lt(table.path, to))
}

const countAt = ({ counters }: BadgeStore, { collection, user }: Owner, path: string) => sql`coalesce((
  SELECT c.count FROM ${counters} c WHERE c.collection = ${collection} AND c."user" = ${user} AND c.path = ${path}
), 0)`
