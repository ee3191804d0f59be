// Sends a search to all shards of an index, and gathers the results: collection statistics first, then hits, then the documents of
// a page.

import { isTopExact, sumStatistics } from './collection-statistics.ts'
import type { IndexedDocument, SizedDocument } from './engine/indexed-document.ts'
import type { CollectionStatistics, Query } from './engine/query.ts'
import { mergeHits, type ShardHit } from './hits.ts'
import type { ShardClient } from './shard-client.ts'

/** Maximum number of terms to which a prefix expands: the terms with the highest document frequencies. */
const maxExpansions = 50

/** Number of expansions that each shard sends in the first round. With this number, the top 50 of the sums are usually exact. */
const firstRoundCandidates = 500

/**
 * Number of expansions that each shard sends in the second round. An RPC cannot carry all words of a short prefix, for example all
 * numbers that begin with 1.
 */
const secondRoundCandidates = 20_000

/**
 * Collects the statistics of the whole index. They do not depend on the number of shards, unless a prefix has too many words to
 * send.
 */
export async function collectStatistics(shards: readonly ShardClient[], query: Query): Promise<CollectionStatistics> {
  const collect = (candidates: number) => Promise.all(shards.map((shard) => shard.statistics(query, candidates)))
  if (shards.length === 1) return sumStatistics(await collect(maxExpansions), maxExpansions)
  const first = await collect(firstRoundCandidates)
  const isExact = isTopExact(first, firstRoundCandidates, maxExpansions)
  return sumStatistics(isExact ? first : await collect(secondRoundCandidates), maxExpansions)
}

/** Searches all shards. Returns the `limit` best hits, in order; with `count`, also the number of all documents that match. */
export async function searchShards(
  shards: readonly ShardClient[],
  query: Query,
  statistics: CollectionStatistics,
  limit: number,
  count: boolean,
): Promise<{ hits: ShardHit[]; total: number }> {
  const lists = await Promise.all(shards.map((shard) => shard.search(query, statistics, limit, count)))
  const total = lists.reduce((sum, list) => sum + list.total, 0)
  return { hits: mergeHits(lists).slice(0, limit), total }
}

/** A document with its score. */
export interface ScoredDocument extends IndexedDocument {
  score: number
}

/**
 * Reads the documents of hits, in the order of the hits and in their current versions. Leaves out documents that were deleted since
 * the search. Stops when the documents reach `maxBytes`, but returns at least one; `isCut` is then true.
 */
export async function readDocuments(shards: readonly ShardClient[], hits: ShardHit[], maxBytes: number) {
  const read = new Map<ShardHit, SizedDocument | null>()
  for (let left = maxBytes; left > 0 && read.size < hits.length; ) {
    const unread = Map.groupBy(
      hits.filter((hit) => !read.has(hit)),
      ({ shard }) => shard,
    )
    const share = Math.ceil(left / unread.size)
    const reads = [...unread].map(async ([shard, shardHits]) => {
      const documents = await shards[shard]!.read(
        shardHits.map(({ row }) => row),
        share,
        shardHits.map(({ seq }) => seq),
      )
      for (const [i, document] of documents.entries()) {
        read.set(shardHits[i]!, document)
        left -= document?.bytes ?? 0
      }
    })
    await Promise.all(reads)
  }
  const end = hits.findIndex((hit) => !read.has(hit))
  const page = end === -1 ? hits : hits.slice(0, end)
  return {
    documents: page.flatMap((hit): ScoredDocument[] => {
      const document = read.get(hit)
      return document ? [{ ...document, score: hit.score }] : []
    }),
    isCut: end !== -1,
  }
}
