// Our search as the benchmark measures it through the API.
import { performance } from 'node:perf_hooks'
import { post } from '../../../scripts/lib/post.ts'
import { wireTo } from '../../wire.ts'
import { type IndexVariant, maxResults, type SearchContender } from '../contender.ts'
import { readCorpus } from '../documents-file.ts'

const name = 'compared'

/** Measures our search over HTTP, from one client. Replies contain the documents too. */
export async function startComponent(origin: string, variant: IndexVariant): Promise<SearchContender> {
  const wire = wireTo(origin)
  const settings = { name, ...(variant === 'fulltext' && { stemmer: 'english', stopwords: 'english' }) }
  await post(origin, '/index', settings)
  return {
    index: async (file) => {
      let taken = 0
      for await (const documents of readCorpus(file)) {
        const begun = performance.now()
        await post(origin, '/documents', { index: name, documents })
        taken += performance.now() - begun
      }
      return taken
    },
    search: async (kind, texts) => {
      const times: number[] = []
      for (const text of texts) {
        const params = { index: name, search: kind === 'phrase' ? `"${text}"` : text, size: String(maxResults) }
        const begun = performance.now()
        const status = await wire.ask({ method: 'GET', path: `/documents?${new URLSearchParams(params)}` })
        times.push(performance.now() - begun)
        if (status !== 200) throw new Error(`GET /documents answered ${status}`)
      }
      return { times, found: texts.length }
    },
    size: async () => ({}),
    end: async () => {
      wire.close()
      await fetch(`${origin}/index`, { method: 'DELETE', body: JSON.stringify({ name }) })
    },
  }
}
