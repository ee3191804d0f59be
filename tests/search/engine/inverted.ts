import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { analysisOf } from '#search/analysis/analyser'
import type { NewDocument } from '#search/engine/documents'
import { InvertedIndex, type Variant } from '#search/engine/inverted-index'
import { parseQuery } from '#search/parse-query'

const { SHARD } = env as unknown as { SHARD: DurableObjectNamespace }

/** Runs in the storage of an object of its own. */
export const inStorage = <T>(run: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(SHARD.getByName(crypto.randomUUID()), (_, state) => run(state.storage))

export const analysisFor = (variant: Variant) =>
  analysisOf(
    variant === 'fulltext' ? { stemmer: 'english', stopwords: 'english' } : { stemmer: 'none', stopwords: 'none' },
  )

export const open = (storage: DurableObjectStorage, variant: Variant) =>
  new InvertedIndex(storage, analysisFor(variant), variant)

export const document = (code: string, text: string, title: string | null = null, seq = Number(code)): NewDocument => ({
  code,
  title,
  text,
  seq,
})

/** Codes of what is found, in order, and how many there are. */
export function find(index: InvertedIndex, variant: Variant, text: string, most = 50) {
  const query = parseQuery(text, analysisFor(variant), variant)
  const { hits, total } = index.search(query, index.measure(query, 50), most, true)
  return {
    codes: [...index.read(hits.map(({ row }) => row))].map((one) => one?.code),
    total,
    scores: hits.map(({ score }) => score),
  }
}
