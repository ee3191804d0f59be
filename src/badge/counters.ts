// Reads the counters of a user. `badges.ts` and `removal.ts` update the counters with each write.
import { and, inArray } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { ownedBy } from './badges.ts'
import type { CountersOf } from './contract.ts'
import { nameOf, pathOf } from './path.ts'
import type { BadgeStore } from './schema.ts'

/** Maximum number of paths in a statement. D1 binds at most 100 parameters, two of which are the collection and the user. */
const pathsPerStatement = { d1: 98, postgres: 1_000 }

/** Reads the number of badges of a user at or below each name; 0 for a name without badges. */
export async function readCounters(
  { db, dialect, counters }: BadgeStore,
  { names, ...owner }: CountersOf,
): Promise<Record<string, number>> {
  const chunks = chunksOf(names.map(pathOf), pathsPerStatement[dialect])
  const [first, ...rest] = chunks.map((paths) =>
    db
      .select({ path: counters.path, count: counters.count })
      .from(counters)
      .where(and(ownedBy(counters, owner), inArray(counters.path, paths))),
  )
  const rows = (await db.batch([first!, ...rest])).flat()
  const counts = new Map(rows.map(({ path, count }) => [nameOf(path), count]))
  return Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0]))
}
