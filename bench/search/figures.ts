import type { QueryKind } from './corpus/queries.ts'

/** The measurements of a contender. */
export interface SearchFigures {
  /** Documents indexed a second. */
  rate: number
  searches: Partial<Record<QueryKind, Search | undefined>>
  /** Bytes. */
  disk?: number
  memory?: number
}

interface Search {
  /** Latency in milliseconds. */
  p50: number
  p95: number
  /** Share of the queries with a result. */
  found: number
}

export function percentiles(times: number[]): { p50: number; p95: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p95: at(0.95) }
}
