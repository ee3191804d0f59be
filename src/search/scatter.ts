import type { IndexedDocument, ReadDocument } from './engine/documents.ts'
import type { Measures, Query } from './engine/query.ts'
import { mergeHits, type ShardHit } from './hits.ts'
import { isExact, sumMeasures } from './measures.ts'
import type { ShardClient } from './part.ts'

/** How many terms the beginning of a word stands for: those in most documents. */
const expansions = 50

/** How many of them each shard tells, so that their sums are seldom in doubt. */
const toldAtFirst = 500

/** How many where those leave a doubt: of shorter beginnings of rarer words, such as numbers, an RPC could not carry all. */
const toldAtMost = 20_000

/** What scores are made of: the same to the last digit however many shards there are, unless a beginning has too many words. */
export async function measureAll(parts: readonly ShardClient[], query: Query): Promise<Measures> {
  const measure = (told: number) => Promise.all(parts.map((part) => part.measure(query, told)))
  if (parts.length === 1) return sumMeasures(await measure(expansions), expansions)
  const measured = await measure(toldAtFirst)
  return sumMeasures(isExact(measured, toldAtFirst, expansions) ? measured : await measure(toldAtMost), expansions)
}

/** The best hits of all shards, in order, and how many there are where that is asked for. */
export async function findAll(
  parts: readonly ShardClient[],
  query: Query,
  measures: Measures,
  most: number,
  count: boolean,
): Promise<{ hits: ShardHit[]; total: number }> {
  const lists = await Promise.all(parts.map((part) => part.find(query, measures, most, count)))
  const total = lists.reduce((sum, list) => sum + list.total, 0)
  return { hits: mergeHits(lists).slice(0, most), total }
}

/** A document that was found. */
export interface Scored extends IndexedDocument {
  score: number
}

/**
 * The documents of hits, in their order, each as it is now, without those that are gone. They end where they would be larger
 * than so many bytes together, though never before the first.
 */
export async function readAll(parts: readonly ShardClient[], hits: ShardHit[], bytes: number) {
  const read = new Map<ShardHit, ReadDocument | null>()
  for (let left = bytes; left > 0 && read.size < hits.length; ) {
    const waiting = Map.groupBy(
      hits.filter((hit) => !read.has(hit)),
      ({ shard }) => shard,
    )
    const share = Math.ceil(left / waiting.size)
    const rounds = [...waiting].map(async ([shard, asked]) => {
      const documents = await parts[shard]!.read(
        asked.map(({ row }) => row),
        share,
        asked.map(({ seq }) => seq),
      )
      for (const [i, document] of documents.entries()) {
        read.set(asked[i]!, document)
        left -= document?.bytes ?? 0
      }
    })
    await Promise.all(rounds)
  }
  const end = hits.findIndex((hit) => !read.has(hit))
  const page = end === -1 ? hits : hits.slice(0, end)
  return {
    documents: page.flatMap((hit): Scored[] => {
      const document = read.get(hit)
      return document ? [{ ...document, score: hit.score }] : []
    }),
    isCut: end !== -1,
  }
}
