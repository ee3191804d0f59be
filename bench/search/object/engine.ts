// The base class of durable objects that index documents and time searches.
import { DurableObject } from 'cloudflare:workers'
import { analyzerOf } from '../../../src/search/analysis/analyzer.ts'
import type { Analyzer } from '../../../src/search/analysis/types.ts'
import type { Searched } from '../contender.ts'
import type { Document } from '../corpus/documents.ts'
import { Stopwatch } from '../stopwatch.ts'

/**
 * A durable object that indexes documents in its storage, and times searches. Its first call sets the variant of the
 * search.
 */
export abstract class SearchObject extends DurableObject {
  #analyzer: Analyzer | undefined

  protected abstract add(variant: string, documents: Document[]): void

  /** Searches for a text, and returns the number of results, at most 50. */
  protected abstract search(variant: string, kind: string, text: string): number

  put(variant: string, documents: Document[]) {
    this.add(variant, documents)
  }

  /** Whether the engine supports a kind of query. */
  protected answers(_kind: string): boolean {
    return true
  }

  searchEach(variant: string, kind: string, texts: string[]): Searched {
    if (!this.answers(kind)) return { times: [], found: 0 }
    const stopwatch = new Stopwatch()
    let found = 0
    const times = texts.map((text) =>
      stopwatch.time(() => {
        if (this.search(variant, kind, text) > 0) found++
      }),
    )
    return { times, found }
  }

  size() {
    return { disk: this.ctx.storage.sql.databaseSize }
  }

  protected analyzerOf(variant: string): Analyzer {
    const language = variant === 'fulltext' ? 'english' : 'none'
    this.#analyzer ??= analyzerOf({ stemmer: language, stopwords: language })
    return this.#analyzer
  }
}
