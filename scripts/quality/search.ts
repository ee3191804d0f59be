import { post } from '../lib/post.ts'
import type { Collection } from './collection.ts'
import type { Judged } from './measures.ts'

/** Fills an index of its own with a collection; what the component at an origin then ranks for each topic. */
export async function rank(origin: string, { documents, topics }: Collection, shards: number): Promise<Judged[]> {
  const index = `quality_${shards}`
  await post(origin, '/index', { name: index, shards })
  // Two have no text, which is refused; one of them is relevant all the same.
  const findable = documents.filter(({ text }) => text !== '')
  for (let from = 0; from < findable.length; from += most)
    await post(origin, '/documents', { index, documents: findable.slice(from, from + most) })
  const judged: Judged[] = []
  for (const { text, relevant } of topics) judged.push({ ranked: await search(origin, index, text), relevant })
  return judged
}

/** Documents that one call takes, and that one page has. */
const most = 1_000

async function search(origin: string, index: string, text: string): Promise<string[]> {
  const params = new URLSearchParams({ index, search: text, size: String(most) })
  const response = await fetch(`${origin}/documents?${params}`)
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  const { content } = (await response.json()) as { content: { documents: { code: string }[] } }
  return content.documents.map(({ code }) => code)
}
