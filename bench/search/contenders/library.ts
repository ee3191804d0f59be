// Common parts of the search libraries that run in Node.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { english as stem } from '../../../src/search/analysis/stemmers/english.ts'
import { stopwords as lists } from '../../../src/search/analysis/stopwords/stopwords.ts'
import type { IndexVariant, SearchContender, Searched } from '../contender.ts'
import type { Document } from '../corpus/documents.ts'
import type { QueryKind } from '../corpus/queries.ts'
import { readCorpus } from '../documents-file.ts'

export const variant = process.argv[2] as IndexVariant

const stopwords = new Set(variant === 'fulltext' ? lists.get('english')!.split(/\s+/) : [])

/** The index term of a folded word: its stem in full-text search, and empty for a stop word. */
export function termOf(word: string): string {
  const known = terms.get(word)
  if (known !== undefined) return known
  const term = stopwords.has(word) ? '' : variant === 'fulltext' ? stem(word) : word
  terms.set(word, term)
  return term
}

const terms = new Map<string, string>()

interface Library {
  add(document: Document): unknown
  /**
   * Returns a function that searches for a text and returns the number of results, at most 50. Undefined if the kind of
   * query is not supported.
   */
  searchFor(kind: QueryKind): ((text: string) => number) | undefined
}

export function contenderOf({ add, searchFor }: Library): SearchContender {
  const before = resident()
  return {
    index: async (file) => {
      let taken = 0
      for await (const documents of readCorpus(file)) {
        const begun = performance.now()
        for (const document of documents) add(document)
        taken += performance.now() - begun
      }
      return taken
    },
    search: async (kind, texts) => timeEach(texts, searchFor(kind)),
    size: async () => ({ memory: resident() - before }),
    end: async () => undefined,
  }
}

function timeEach(texts: string[], search: ((text: string) => number) | undefined): Searched {
  if (!search) return { times: [], found: 0 }
  let found = 0
  const times = texts.map((text) => {
    const begun = performance.now()
    if (search(text) > 0) found++
    return performance.now() - begun
  })
  return { times, found }
}

/** Resident memory of the process in bytes after a garbage collection, which is how our search is measured too. */
function resident(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage.rss()
}
