// Creates and searches an inverted index without the coordinator, for the tests of the engine.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { analyzerOf } from '#search/analysis/analyzer'
import type { NewIndexedDocument, Variant } from '#search/engine/indexed-document'
import { InvertedIndex } from '#search/engine/inverted-index'
import type { Hit } from '#search/engine/query'
import { parseQuery } from '#search/parse-query'

const { SHARD } = env as unknown as { SHARD: DurableObjectNamespace }

/** Runs a function with the storage of a new durable object. */
export const inStorage = <T>(run: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(SHARD.getByName(crypto.randomUUID()), (_, state) => run(state.storage))

export const analyzerFor = (variant: Variant) =>
  analyzerOf(
    variant === 'fulltext'
      ? { stemmer: 'english', stopwords: 'english' }
      : { stemmer: 'none', stopwords: 'none', unspaced: 'pairs' },
  )

export const open = (storage: DurableObjectStorage, variant: Variant) =>
  new InvertedIndex(storage, analyzerFor(variant), variant)

export const document = (
  code: string,
  text: string,
  title: string | null = null,
  seq = Number(code),
): NewIndexedDocument => ({
  code,
  title,
  text,
  seq,
})

/** Returns the hits of a query, in order, and the number of all matches. */
export function hitsOf(index: InvertedIndex, variant: Variant, text: string, limit = 50) {
  const query = parseQuery(text, analyzerFor(variant), variant)
  const statistics = index.statistics(query, 50)
  const { hits, total } = index.search(query, statistics, limit, true)
  // Without `count`, a search may stop early, but must return the same hits.
  for (const some of [limit, 3]) expect(index.search(query, statistics, some, false).hits).toEqual(hits.slice(0, some))
  return { hits, total }
}

/** Reads the documents of hits. */
export const read = (index: InvertedIndex, hits: readonly Hit[]) => [
  ...index.readDocuments(
    hits.map(({ row }) => row),
    hits.map(({ seq }) => seq),
  ),
]

/** Returns the codes and scores of the documents that a query finds, in order, and the number of all matches. */
export function find(index: InvertedIndex, variant: Variant, text: string, limit = 50) {
  const { hits, total } = hitsOf(index, variant, text, limit)
  return { codes: read(index, hits).map((one) => one?.code), total, scores: hits.map(({ score }) => score) }
}
