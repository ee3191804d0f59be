// Searches that are timed inside of a durable object, without HTTP.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { startStack } from '../../../scripts/stack/stack.ts'
import type { IndexVariant, SearchContender } from '../contender.ts'
import { readCorpus } from '../documents-file.ts'
import { engine } from '../object/component.ts'
import { runtimeMemory } from './runtime.ts'

/** Starts a search inside of a durable object, where it is timed: ours, or SQLite's FTS5. */
export async function startObject(
  name: 'ours' | 'fts5',
  variant: IndexVariant,
  folder: string,
): Promise<SearchContender> {
  const memory = runtimeMemory()
  const stack = await startStack({
    port: 0,
    stateDir: join(folder, name),
    components: [engine],
    direct: [engine.name],
    log: console.error,
  })
  const base = `${stack.origins[engine.name]}/${name}`
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${base}/${variant}${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  await post('/documents', [])
  const before = memory()
  return {
    index: async (file) => {
      let taken = 0
      for await (const documents of readCorpus(file)) {
        const begun = performance.now()
        await post('/documents', documents)
        taken += performance.now() - begun
      }
      return taken
    },
    search: async (kind, texts) =>
      (await post(`/search/${kind}`, texts)) as Awaited<ReturnType<SearchContender['search']>>,
    size: async () => ({
      ...((await (await fetch(`${base}/size`)).json()) as { disk: number }),
      memory: memory() - before,
    }),
    end: () => stack.dispose(),
  }
}
