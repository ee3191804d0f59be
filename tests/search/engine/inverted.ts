import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { analysisOf } from '#search/analysis/analyser'
import type { NewIndexedDocument, Variant } from '#search/engine/documents'
import { InvertedIndex } from '#search/engine/inverted-index'
import type { Hit } from '#search/engine/query'
import { parseQuery } from '#search/parse-query'

const { SHARD } = env as unknown as { SHARD: DurableObjectNamespace }

/** Runs in the storage of an object of its own. */
export const inStorage = <T>(run: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(SHARD.getByName(crypto.randomUUID()), (_, state) => run(state.storage))

export const analysisFor = (variant: Variant) =>
  analysisOf(
    variant === 'fulltext'
      ? { stemmer: 'english', stopwords: 'english' }
      : { stemmer: 'none', stopwords: 'none', unspaced: 'pairs' },
  )

export const open = (storage: DurableObjectStorage, variant: Variant) =>
  new InvertedIndex(storage, analysisFor(variant), variant)

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

/** What is found, in order, and how many there are. */
export function hitsOf(index: InvertedIndex, variant: Variant, text: string, most = 50) {
  const query = parseQuery(text, analysisFor(variant), variant)
  const measures = index.measure(query, 50)
  const { hits, total } = index.search(query, measures, most, true)
  // Without a count a search may stop before it has seen all; it finds the same.
  for (const some of [most, 3]) expect(index.search(query, measures, some, false).hits).toEqual(hits.slice(0, some))
  return { hits, total }
}

/** Documents of hits, as they are read now. */
export const read = (index: InvertedIndex, hits: readonly Hit[]) => [
  ...index.read(
    hits.map(({ row }) => row),
    hits.map(({ seq }) => seq),
  ),
]

/** Codes of what is found, in order, and how many there are. */
export function find(index: InvertedIndex, variant: Variant, text: string, most = 50) {
  const { hits, total } = hitsOf(index, variant, text, most)
  return { codes: read(index, hits).map((one) => one?.code), total, scores: hits.map(({ score }) => score) }
}
