// Adds up the word statistics of all shards for a query, so that BM25 scores do not depend on the number of shards.
import type { CollectionStatistics } from './engine/query.ts'
import { byFrequency } from './engine/statistics.ts'

/** Adds up statistics, and keeps the `maxExpansions` expansions with the highest document frequencies. */
export function sumStatistics(all: CollectionStatistics[], maxExpansions: number): CollectionStatistics {
  return {
    documentCount: sum(all.map(({ documentCount }) => documentCount)),
    totalLength: sum(all.map(({ totalLength }) => totalLength)),
    documentFrequencies: Object.fromEntries(sumCounts(all.map(({ documentFrequencies }) => documentFrequencies))),
    expansions: Object.fromEntries(byFrequency([...sumExpansions(all)]).slice(0, maxExpansions)),
  }
}

/**
 * Whether the `k` most frequent expansions are exact, although each shard has sent only its `candidates` most frequent ones. They
 * are if all shards have sent these `k` terms, and no other term can have a higher total. A shard that did not send a term has it
 * in at most as many documents as the last term that the shard sent (threshold algorithm).
 */
export function isTopExact(all: CollectionStatistics[], candidates: number, k: number): boolean {
  const truncated = all.map((one) => Object.entries(one.expansions)).filter((sent) => sent.length >= candidates)
  if (truncated.length === 0) return true
  const shares = truncated.map((sent) => ({ sent: new Map(sent), min: Math.min(...sent.map(([, count]) => count)) }))
  /** Returns an upper bound of the documents with a term in the shards that did not send the term. */
  const unsent = (term: string) => sum(shares.map(({ sent, min }) => (sent.has(term) ? 0 : min)))
  const summed = [...sumExpansions(all)]
  const top = byFrequency(summed).slice(0, k)
  const last = top.at(-1)![1]
  const isTop = new Set(top.map(([term]) => term))
  return (
    top.length === k &&
    top.every(([term]) => unsent(term) === 0) &&
    sum(shares.map(({ min }) => min)) < last &&
    summed.every(([term, count]) => isTop.has(term) || unsent(term) === 0 || count + unsent(term) < last)
  )
}

const sumExpansions = (all: CollectionStatistics[]) => sumCounts(all.map(({ expansions }) => expansions))

/** Adds up counts by term. Returns a Map, because a term may equal a property of Object.prototype, such as `constructor`. */
function sumCounts(all: Record<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const counted of all)
    for (const [term, count] of Object.entries(counted)) counts.set(term, (counts.get(term) ?? 0) + count)
  return counts
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
