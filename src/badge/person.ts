// Data of persons in the badges: the badges of a user, by collection.
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { PersonalPlace } from '#core/person/places'
import { deleteBadges, ownedBy } from './badges.ts'
import type { Env } from './bindings.ts'
import { listCollections } from './owners.ts'
import { nameOf } from './path.ts'
import { removeBadges } from './removal.ts'
import { type BadgeStore, schema } from './schema.ts'

/** D1 binds at most 100 parameters per statement. */
const collectionsPerStep = 90
const badgesPerStep = 100

/** A payload has up to 1 MB. */
const badgesPerPage = 10

/**
 * Finds the next collection after a name in which the user has badges. `last` is the last collection of the step if there may be
 * more. Reads the counters, whose key begins with the collection: an index by user would cost a write for each badge.
 */
async function nextOwned(
  store: BadgeStore,
  user: string,
  after: string,
): Promise<{ owned?: string | undefined; last?: string | undefined }> {
  const names = (await listCollections(store, { after, limit: collectionsPerStep })).map(({ name }) => name)
  if (names.length === 0) return {}
  const { db, counters } = store
  const [owned] = await db
    .select({ collection: counters.collection })
    .from(counters)
    .where(and(inArray(counters.collection, names), eq(counters.user, user), eq(counters.path, '')))
    .orderBy(asc(counters.collection))
    .limit(1)
  return { owned: owned?.collection, last: names.length === collectionsPerStep ? names.at(-1) : undefined }
}

/** The cursor of an export: the last collection that is done, and the place in the next one. */
interface BadgePosition {
  after: string
  within?: { collection: string; id: number } | undefined
}

const badges: PersonalPlace<Env> = {
  name: 'badges',
  columns: { badge_badges: ['user'], badge_counters: ['user'] },
  subrequests: 12,

  async erase(env, { user }, after = '') {
    if (user === undefined) return { erased: 0 }
    const store = open(env, schema)
    const { owned: collection, last } = await nextOwned(store, user, after)
    if (collection === undefined) return { erased: 0, next: last }
    const owner = { collection, user }
    const { db, badges } = store
    const rows = await db.select({ id: badges.id }).from(badges).where(ownedBy(badges, owner)).limit(badgesPerStep)
    const ids = rows.map(({ id }) => id)
    const removed = ids.length > 0 ? await removeBadges(store, ids) : 0
    // Also deletes the counters, by which the collection was found.
    const rest = ids.length < badgesPerStep ? await deleteBadges(store, owner) : 0
    return { erased: removed + rest, next: after }
  },

  async read(env, { user }, cursor) {
    if (user === undefined) return { rows: [] }
    const store = open(env, schema)
    const { after, within }: BadgePosition = cursor === undefined ? { after: '' } : JSON.parse(cursor)
    const found = within ? { owned: within.collection } : await nextOwned(store, user, after)
    if (found.owned === undefined)
      return { rows: [], next: found.last === undefined ? undefined : positionText({ after: found.last }) }
    const collection = found.owned
    const { db, badges } = store
    const rows = await db
      .select({ id: badges.id, path: badges.path, payload: badges.payload, created_at: badges.created_at })
      .from(badges)
      .where(and(ownedBy(badges, { collection, user }), gt(badges.id, within?.id ?? 0)))
      .orderBy(asc(badges.id))
      .limit(badgesPerPage)
    const next =
      rows.length === badgesPerPage ? { after, within: { collection, id: rows.at(-1)!.id } } : { after: collection }
    return {
      rows: rows.map(({ path, ...row }) => ({ collection, user, name: nameOf(path), ...row })),
      next: positionText(next),
    }
  },
}

const positionText = (position: BadgePosition) => JSON.stringify(position)

export const personalData: readonly PersonalPlace<Env>[] = [badges]
