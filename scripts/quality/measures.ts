/** What a search has found for one query, and what it should have. */
export interface Judged {
  /** Documents as they were ranked, the best first, each once. */
  ranked: readonly string[]
  /** At least one. */
  relevant: ReadonlySet<string>
}

/** Between 0 and 1, by query: the mean over its relevant documents of the precision where each was found, 0 where not. */
export function averagePrecision({ ranked, relevant }: Judged): number {
  let found = 0
  let sum = 0
  for (const [index, document] of ranked.entries()) if (relevant.has(document)) sum += ++found / (index + 1)
  return sum / relevant.size
}

/** nDCG of the first `depth`, between 0 and 1: a relevant document gains 1 whatever its grade, over log2(rank + 1). */
export function discountedGain({ ranked, relevant }: Judged, depth: number): number {
  const gained = ranked.slice(0, depth).map((document) => relevant.has(document))
  const most = Array.from({ length: Math.min(depth, relevant.size) }, () => true)
  return gainOf(gained) / gainOf(most)
}

const gainOf = (gained: boolean[]) =>
  gained.reduce((sum, gain, index) => sum + (gain ? 1 / Math.log2(index + 2) : 0), 0)

interface Quality {
  /** Mean average precision. */
  map: number
  ndcg10: number
}

/** The means over all queries. */
export function qualityOf(queries: readonly Judged[]): Quality {
  const mean = (measure: (query: Judged) => number) =>
    queries.reduce((sum, query) => sum + measure(query), 0) / queries.length
  return { map: mean(averagePrecision), ndcg10: mean((query) => discountedGain(query, 10)) }
}
