// Our search in a durable object, without HTTP, for the search benchmark.
import type { Variant } from '../../../src/search/engine/indexed-document.ts'
import { InvertedIndex } from '../../../src/search/engine/inverted-index.ts'
import { parseQuery } from '../../../src/search/parse-query.ts'
import { maxResults } from '../contender.ts'
import type { Document } from '../corpus/documents.ts'
import { SearchObject } from './engine.ts'

const maxExpansions = 50

export class Ours extends SearchObject {
  #index: InvertedIndex | undefined
  #seq = 0

  protected add(variant: Variant, documents: Document[]) {
    const titled = documents.map(({ title, ...document }) => ({
      ...document,
      title: variant === 'fulltext' ? title : null,
      seq: this.#seq++,
    }))
    this.#open(variant).write(titled)
  }

  protected search(variant: Variant, kind: string, text: string): number {
    const index = this.#open(variant)
    const query = parseQuery(kind === 'phrase' ? `"${text}"` : text, this.analyzerOf(variant), variant)
    return index.search(query, index.statistics(query, maxExpansions), maxResults, false).hits.length
  }

  #open(variant: Variant): InvertedIndex {
    this.#index ??= new InvertedIndex(this.ctx.storage, this.analyzerOf(variant), variant)
    return this.#index
  }
}
