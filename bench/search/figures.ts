// The types of the search benchmark's measurements.
import type { QueryKind } from './corpus/queries.ts'

/** The measurements of one search engine. */
export interface SearchFigures {
  /** Documents indexed a second. */
  rate: number
  searches: Partial<Record<QueryKind, Search | undefined>>
  /** Size on disk in bytes. */
  disk?: number
  memory?: number
}

interface Search {
  /** Latency in milliseconds: median and 95th percentile. */
  p50: number
  p95: number
  /** Share of the queries for which the engine found a document. */
  found: number
}

export function percentiles(times: number[]): { p50: number; p95: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p95: at(0.95) }
}
