import { q } from '../../session.ts'

/** How many badges there are at a path and below it. */
export interface Counter {
  /** Empty for all. */
  path: string
  /** How many steps below the user's own: 0 for all. */
  depth: number
  count: number
}

const most = 1_000

/** The counters of the names that the newest badges have, as a tree in reading order; and whether there are older ones. */
export async function countersOf(owner: { collection: string; user: string }, signal: AbortSignal) {
  const newest = await q().badge.get('/badges', { ...owner, limit: most }, { signal })
  const { badges, has_more } = newest
  const names = [...new Set(badges.flatMap(({ name }) => [...pathsTo(name)]))].sort(inTree).slice(0, most - 1)
  const { counters } = await q().badge.get('/counters', { ...owner, names: ['_all', ...names] }, { signal })
  const rows = names.map((path) => ({ path, depth: path.split('/').length, count: counters[path] ?? 0 }))
  const all = { path: '', depth: 0, count: counters._all ?? 0 }
  return { counters: all.count === 0 ? [] : [all, ...rows], isPart: badges.length === most || has_more === true }
}

/** a/b/c: a, a/b and a/b/c. */
function* pathsTo(name: string) {
  const steps = name.split('/')
  for (let i = 1; i <= steps.length; i++) yield steps.slice(0, i).join('/')
}

/** What is below a name comes right after it. */
const inTree = (a: string, b: string) => {
  const [x, y] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return x < y ? -1 : 1
}
