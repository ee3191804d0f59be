// Loads the counters of a user's badges as a tree of names.
import { q } from '../../session.ts'

/** Number of badges at and below a path. */
export interface Counter {
  /** Empty for the counter of all badges. */
  path: string
  /** Number of segments; 0 for the counter of all badges. */
  depth: number
  count: number
}

const maxNames = 1_000

/** Counters of the names of the newest badges, in tree order, and whether there are older badges. */
export async function countersOf(owner: { collection: string; user: string }, signal: AbortSignal) {
  const newest = await q().badge.get('/badges', { ...owner, limit: maxNames }, { signal })
  const { badges, has_more } = newest
  const names = [...new Set(badges.flatMap(({ name }) => [...pathsTo(name)]))].sort(inTree).slice(0, maxNames - 1)
  const { counters } = await q().badge.get('/counters', { ...owner, names: ['_all', ...names] }, { signal })
  const rows = names.map((path) => ({ path, depth: path.split('/').length, count: counters[path] ?? 0 }))
  const all = { path: '', depth: 0, count: counters._all ?? 0 }
  return { counters: all.count === 0 ? [] : [all, ...rows], isPart: badges.length === maxNames || has_more === true }
}

/** The prefixes of a path: a, a/b and a/b/c for a/b/c. */
function* pathsTo(name: string) {
  const steps = name.split('/')
  for (let i = 1; i <= steps.length; i++) yield steps.slice(0, i).join('/')
}

/** Sorts each name directly before the names below it. */
const inTree = (a: string, b: string) => {
  const [x, y] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return x < y ? -1 : 1
}
