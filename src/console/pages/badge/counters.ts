// Loads the counters of a user's badges as a tree of names, for the badge page of the console.
import { q } from '../../session.ts'

/** A counter: the number of badges at and below a name. */
export interface Counter {
  /** Name of the counter; empty for the counter of all badges. */
  path: string
  /** Number of segments; 0 for the counter of all badges. */
  depth: number
  count: number
}

const maxNames = 1_000

/**
 * Loads the counters of the names that the newest badges have, in tree order, and whether there are older badges, whose names may
 * be missing.
 */
export async function countersOf(owner: { collection: string; user: string }, signal: AbortSignal) {
  const newest = await q().badge.get('/badges', { ...owner, limit: maxNames }, { signal })
  const { badges, has_more } = newest
  const names = [...new Set(badges.flatMap(({ name }) => [...pathsTo(name)]))].sort(inTree).slice(0, maxNames - 1)
  const { counters } = await q().badge.get('/counters', { ...owner, names: ['_all', ...names] }, { signal })
  const rows = names.map((path) => ({ path, depth: path.split('/').length, count: counters[path] ?? 0 }))
  const all = { path: '', depth: 0, count: counters._all ?? 0 }
  return { counters: all.count === 0 ? [] : [all, ...rows], isPart: badges.length === maxNames || has_more === true }
}

/** Yields the prefixes of a path: for a/b/c these are a, a/b and a/b/c. */
function* pathsTo(name: string) {
  const steps = name.split('/')
  for (let i = 1; i <= steps.length; i++) yield steps.slice(0, i).join('/')
}

/** Compares two names, so that each name is sorted directly before the names below it. */
const inTree = (a: string, b: string) => {
  const [x, y] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return x < y ? -1 : 1
}
