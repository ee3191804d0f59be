import type { Found } from './engine/query.ts'

/** Hits as they travel: of each its score, seq and row; `total` holds where it was asked for. */
export interface HitList {
  values: Float64Array
  total: number
}

/** A hit, and the number of the shard that has it. */
export interface ShardHit {
  shard: number
  row: number
  score: number
  seq: number
}

const width = 3

/** What a shard has found, made ready to travel. */
export function packHits({ hits, total = 0 }: Found): HitList {
  const values = new Float64Array(hits.length * width)
  for (const [i, { score, seq, row }] of hits.entries()) values.set([score, seq, row], i * width)
  return { values, total }
}

/** The hits of all shards, the best first: the higher score, the lower seq, the lower shard. */
export function mergeHits(lists: HitList[]): ShardHit[] {
  const hits = lists.flatMap(({ values }, shard) => unpackHits(values, shard))
  return lists.length === 1 ? hits : hits.sort((a, b) => b.score - a.score || a.seq - b.seq || a.shard - b.shard)
}

const unpackHits = (values: Float64Array, shard: number): ShardHit[] =>
  Array.from({ length: values.length / width }, (_, i) => ({
    shard,
    score: values[i * width]!,
    seq: values[i * width + 1]!,
    row: values[i * width + 2]!,
  }))
