// Compares our search with other search engines on the same documents and queries.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { median } from '../figures.ts'
import type { IndexVariant, SearchContender } from './contender.ts'
import { type ContenderEntry, entries } from './contenders.ts'
import type { Queries, QueryKind } from './corpus/queries.ts'
import { writeCorpus } from './documents-file.ts'
import { percentiles, type SearchFigures } from './figures.ts'
import { report } from './report.ts'

/** Kinds of queries that only this variant of our search supports. */
const kindsOf: Record<IndexVariant, QueryKind[]> = {
  fulltext: ['word', 'words', 'phrase', 'prefix1', 'prefix2', 'prefix3', 'prefix5'],
  typeahead: ['word', 'words', 'prefix1', 'prefix2', 'prefix3', 'prefix5', 'typo1', 'typo2'],
}

const sizes = (process.env.BENCH_DOCUMENTS ?? '10000,200000').split(',').map(Number)

/** Names of the search engines to measure; undefined for all. */
const chosen = process.env.BENCH_PEERS?.split(',')

/**
 * Measures our search and its peers one after the other, on the same documents and queries. Yields the lines of a table
 * for each number of documents.
 */
export async function* compareSearch(variant: IndexVariant, origin: string, seconds: number): AsyncGenerator<string> {
  const all = entries(origin).filter(({ name }) => chosen?.includes(name) ?? true)
  for (const { name, missing } of all) if (missing) yield `without ${name}: ${missing}`
  for (const documents of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'quartermaster-search-'))
    try {
      const file = join(folder, 'documents.jsonl')
      const queries = await writeCorpus(file, documents)
      const measured = new Map<string, SearchFigures>()
      for (const entry of all.filter(({ missing }) => !missing)) {
        try {
          measured.set(entry.name, await measure(entry, { variant, folder, file, documents, queries, seconds }))
        } catch (error) {
          yield `without ${entry.name}: ${String(error).split('\n')[0]}`
        }
      }
      yield* report(variant, documents, kindsOf[variant], measured)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

interface Task {
  variant: IndexVariant
  folder: string
  file: string
  documents: number
  queries: Queries
  seconds: number
}

async function measure(
  entry: ContenderEntry,
  { variant, folder, file, documents, queries, seconds }: Task,
): Promise<SearchFigures> {
  const own = await mkdtemp(join(folder, 'contender-'))
  const contender = await entry.start(variant, own)
  try {
    const rate = (documents / (await contender.index(file))) * 1_000
    const searches: SearchFigures['searches'] = {}
    for (const kind of kindsOf[variant]) searches[kind] = await repeat(contender, kind, queries[kind], seconds)
    return { rate, searches, ...(await contender.size()) }
  } finally {
    await contender.end()
    await rm(own, { recursive: true })
  }
}

const rounds = 5
const step = 5

/**
 * Runs each text once to warm up, then five times, and takes the median, so that other load on the machine does not
 * count. Slow engines run fewer texts and rounds, since the time of all rounds is limited.
 */
async function repeat(contender: SearchContender, kind: QueryKind, texts: string[], seconds: number) {
  const times = texts.map((): number[] => [])
  let [found, searched] = [0, 0]
  const begun = performance.now()
  for (let round = 0; round <= rounds; round++) {
    const until = Math.max(begun + round * seconds * 1_000, round < 2 ? performance.now() : 0) + seconds * 1_000
    for (let from = 0; from < texts.length && performance.now() < until; from += step) {
      const batch = texts.slice(from, from + step)
      const result = await contender.search(kind, batch)
      if (round === 0) continue
      for (const [i, time] of result.times.entries()) times[from + i]!.push(time)
      found += result.found
      searched += batch.length
    }
  }
  const medians = times.filter((some) => some.length > 0).map(median)
  return medians.length > 0 ? { ...percentiles(medians), found: found / searched } : undefined
}
