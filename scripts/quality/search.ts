// Runs the queries of a test collection on the full-text search, for the measurement of its ranking quality.
import { post } from '../lib/post.ts'
import type { Collection } from './collection.ts'
import type { JudgedQuery } from './measures.ts'

/** Indexes a collection, and returns the ranking of each topic. */
export async function rank(origin: string, { documents, topics }: Collection, shards: number): Promise<JudgedQuery[]> {
  const index = `quality_${shards}`
  await post(origin, '/index', { name: index, shards })
  // Leaves out two documents without text, which the API rejects. One of them is relevant, which lowers the result a
  // little.
  const findable = documents.filter(({ text }) => text !== '')
  for (let from = 0; from < findable.length; from += maxDocuments)
    await post(origin, '/documents', { index, documents: findable.slice(from, from + maxDocuments) })
  const queries: JudgedQuery[] = []
  for (const { text, relevant } of topics) queries.push({ ranked: await search(origin, index, text), relevant })
  return queries
}

/** Maximum number of documents that a bulk call takes, and that a page returns. */
const maxDocuments = 1_000

async function search(origin: string, index: string, text: string): Promise<string[]> {
  const params = new URLSearchParams({ index, search: text, size: String(maxDocuments) })
  const response = await fetch(`${origin}/documents?${params}`)
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  const { content } = (await response.json()) as { content: { documents: { code: string }[] } }
  return content.documents.map(({ code }) => code)
}
