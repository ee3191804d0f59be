// The interface through which the coordinator of an index calls its shards.
import type { Person } from '#core/person/places'
import type { SequencedBatch } from './batch.ts'
import type { IndexedDocument, SizedDocument } from './engine/indexed-document.ts'
import type { CollectionStatistics, Query } from './engine/query.ts'
import type { HitList } from './hits.ts'
import type { CodeMatches } from './person-codes.ts'
import type { IndexSettings } from './settings.ts'

type Awaitable<T> = T | Promise<T>

/**
 * The methods of a shard that the coordinator calls: directly on itself, since it is the first shard, or by RPC on another durable
 * object.
 */
export interface ShardClient {
  write(settings: IndexSettings, batch: SequencedBatch): Awaitable<void>
  remove(code: string): Awaitable<boolean>
  get(code: string): Awaitable<IndexedDocument | undefined>
  findCodes(person: Person, after: string): Awaitable<CodeMatches>
  statistics(query: Query, maxExpansions: number): Awaitable<CollectionStatistics>
  search(query: Query, statistics: CollectionStatistics, limit: number, count: boolean): Awaitable<HitList>
  read(rows: number[], maxBytes: number, seqs: number[]): Awaitable<(SizedDocument | null)[]>
  size(): Awaitable<{ documents: number; bytes: number }>
  wipe(): Promise<void>
}
