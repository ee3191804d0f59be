import type { IndexedDocument, ReadDocument } from './engine/documents.ts'
import type { Measures, Query } from './engine/query.ts'
import type { HitList } from './hits.ts'
import type { StampedParcel } from './parcel.ts'
import type { IndexSettings } from './settings.ts'

type Awaitable<T> = T | Promise<T>

/** A shard, be it in this object or in another. */
export interface ShardClient {
  put(settings: IndexSettings, parcel: StampedParcel): Awaitable<void>
  take(code: string): Awaitable<boolean>
  get(code: string): Awaitable<IndexedDocument | undefined>
  measure(query: Query, expansions: number): Awaitable<Measures>
  find(query: Query, measures: Measures, most: number, count: boolean): Awaitable<HitList>
  read(rows: number[], bytes: number, seqs: number[]): Awaitable<(ReadDocument | null)[]>
  size(): Awaitable<{ documents: number; bytes: number }>
  wipe(): Promise<void>
}
