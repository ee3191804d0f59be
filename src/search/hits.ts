// Encodes the hits of a shard for RPC calls, and merges the hits of all shards.
import type { SearchHits } from './engine/query.ts'

/** Hits encoded for an RPC: one array with three numbers for each hit, the score, the sequence number and the row. Objects would be larger. */
export interface HitList {
  values: Float64Array
  /** Number of all matching documents, if it was requested. */
  total: number
}

/** A hit with the number of its shard. */
export interface ShardHit {
  shard: number
  row: number
  score: number
  seq: number
}

const valuesPerHit = 3

/** Encodes the hits of a shard. */
export function encodeHits({ hits, total = 0 }: SearchHits): HitList {
  const values = new Float64Array(hits.length * valuesPerHit)
  for (const [i, { score, seq, row }] of hits.entries()) values.set([score, seq, row], i * valuesPerHit)
  return { values, total }
}

/**
 * Merges the hits of all shards, the best first. Hits are ordered by higher score, then lower sequence number, then lower shard
 * number.
 */
export function mergeHits(lists: HitList[]): ShardHit[] {
  const hits = lists.flatMap(({ values }, shard) => decodeHits(values, shard))
  return lists.length === 1 ? hits : hits.sort((a, b) => b.score - a.score || a.seq - b.seq || a.shard - b.shard)
}

const decodeHits = (values: Float64Array, shard: number): ShardHit[] =>
  Array.from({ length: values.length / valuesPerHit }, (_, i) => ({
    shard,
    score: values[i * valuesPerHit]!,
    seq: values[i * valuesPerHit + 1]!,
    row: values[i * valuesPerHit + 2]!,
  }))
