// Computes the measures of ranking quality: mean average precision and nDCG.

/** The result of one query, with the relevant documents. */
export interface JudgedQuery {
  /** Codes of the found documents, best first, without duplicates. */
  ranked: readonly string[]
  /** Codes of the relevant documents, at least one. */
  relevant: ReadonlySet<string>
}

/**
 * Average precision of a query, from 0 to 1: the mean, over its relevant documents, of the precision at the rank of each, or 0
 * if a document was not found.
 */
export function averagePrecision({ ranked, relevant }: JudgedQuery): number {
  let found = 0
  let sum = 0
  for (const [index, document] of ranked.entries()) if (relevant.has(document)) sum += ++found / (index + 1)
  return sum / relevant.size
}

/**
 * nDCG of the first `depth` results, from 0 to 1. A relevant document has gain 1 whatever its grade, divided by log2(rank + 1).
 */
export function discountedGain({ ranked, relevant }: JudgedQuery, depth: number): number {
  const gained = ranked.slice(0, depth).map((document) => relevant.has(document))
  const maxDocuments = Array.from({ length: Math.min(depth, relevant.size) }, () => true)
  return gainOf(gained) / gainOf(maxDocuments)
}

const gainOf = (gained: boolean[]) =>
  gained.reduce((sum, gain, index) => sum + (gain ? 1 / Math.log2(index + 2) : 0), 0)

interface Quality {
  /** Mean average precision (MAP) over all queries, from 0 to 1. */
  map: number
  ndcg10: number
}

/** The means of both measures over all queries. */
export function qualityOf(queries: readonly JudgedQuery[]): Quality {
  const mean = (measure: (query: JudgedQuery) => number) =>
    queries.reduce((sum, query) => sum + measure(query), 0) / queries.length
  return { map: mean(averagePrecision), ndcg10: mean((query) => discountedGain(query, 10)) }
}
