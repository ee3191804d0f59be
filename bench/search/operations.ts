// The operations of the search components that the benchmark repeats.
import { post } from '../../scripts/lib/post.ts'
import type { Stack } from '../../scripts/stack/stack.ts'
import type { BenchOperation } from '../operation.ts'
import type { IndexVariant } from './contender.ts'
import { documentOf } from './corpus/documents.ts'
import { wordOf } from './corpus/words.ts'

const index = 'bench'
const stored = 10_000

const titled = (variant: IndexVariant, n: number) => {
  const { title, ...document } = documentOf(n)
  return variant === 'fulltext' ? { ...document, title } : document
}

const search = (text: string) => ({
  method: 'GET',
  path: `/documents?${new URLSearchParams({ index, search: text })}`,
})

/** The operations over HTTP, sixteen at a time, on an index of ten thousand documents. */
export const operationsOf = (variant: IndexVariant): BenchOperation[] => [
  {
    name: 'POST /document',
    request: (n) => ({ method: 'POST', path: '/document', body: { index, ...titled(variant, stored + n) } }),
    floor: 'object',
  },
  { name: 'GET /documents, one word', request: (n) => search(wordOf(200 + (n % 2_000))), floor: 'none' },
  { name: 'GET /documents, 2 letters', request: (n) => search(wordOf(200 + (n % 2_000)).slice(0, 2)), floor: 'none' },
]

export const prepareOf = (variant: IndexVariant) => async (_: Stack, origin: string) => {
  await post(origin, '/index', { name: index })
  for (let from = 0; from < stored; from += 1_000) {
    const documents = Array.from({ length: 1_000 }, (_, n) => titled(variant, from + n))
    await post(origin, '/documents', { index, documents })
  }
}
