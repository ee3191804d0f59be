import type { SequencedBatch } from './batch.ts'
import type { IndexedDocument, SizedDocument } from './engine/indexed-document.ts'
import type { CollectionStatistics, Query } from './engine/query.ts'
import type { HitList } from './hits.ts'
import type { IndexSettings } from './settings.ts'

type Awaitable<T> = T | Promise<T>

/** The calls that the coordinator makes to a shard: to itself, which is the first shard, or by RPC to another object. */
export interface ShardClient {
  write(settings: IndexSettings, batch: SequencedBatch): Awaitable<void>
  remove(code: string): Awaitable<boolean>
  get(code: string): Awaitable<IndexedDocument | undefined>
  statistics(query: Query, maxExpansions: number): Awaitable<CollectionStatistics>
  search(query: Query, statistics: CollectionStatistics, limit: number, count: boolean): Awaitable<HitList>
  read(rows: number[], maxBytes: number, seqs: number[]): Awaitable<(SizedDocument | null)[]>
  size(): Awaitable<{ documents: number; bytes: number }>
  wipe(): Promise<void>
}
