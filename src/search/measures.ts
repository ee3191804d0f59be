import { mostFrequent } from './engine/measure.ts'
import type { Measures } from './engine/query.ts'

/** Measures of all shards, with the expansions that are in most documents. */
export function sumMeasures(all: Measures[], expansions: number): Measures {
  return {
    documents: sum(all.map(({ documents }) => documents)),
    length: sum(all.map(({ length }) => length)),
    frequencies: Object.fromEntries(sumCounts(all.map(({ frequencies }) => frequencies))),
    expansions: Object.fromEntries(mostFrequent([...sumExpansions(all)]).slice(0, expansions)),
  }
}

/**
 * Whether the sum would be the same if no shard had left any expansion out, where each has told its `given` most frequent
 * ones: those that are chosen have been told by all, and no other could have more documents than the last of them.
 */
export function isExact(all: Measures[], given: number, chosen: number): boolean {
  const cut = all.map((one) => Object.entries(one.expansions)).filter((told) => told.length >= given)
  if (cut.length === 0) return true
  const shares = cut.map((told) => ({ told: new Map(told), least: Math.min(...told.map(([, count]) => count)) }))
  const untold = (term: string) => sum(shares.map(({ told, least }) => (told.has(term) ? 0 : least)))
  const summed = [...sumExpansions(all)]
  const best = mostFrequent(summed).slice(0, chosen)
  const last = best.at(-1)![1]
  const isBest = new Set(best.map(([term]) => term))
  return (
    best.length === chosen &&
    best.every(([term]) => untold(term) === 0) &&
    sum(shares.map(({ least }) => least)) < last &&
    summed.every(([term, count]) => isBest.has(term) || untold(term) === 0 || count + untold(term) < last)
  )
}

const sumExpansions = (all: Measures[]) => sumCounts(all.map(({ expansions }) => expansions))

/** Not in an object: a term may be called as what all objects have. */
function sumCounts(all: Record<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all)
    for (const [term, count] of Object.entries(one)) counts.set(term, (counts.get(term) ?? 0) + count)
  return counts
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
