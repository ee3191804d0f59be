// The library MiniSearch in the search benchmark: node bench/search/contenders/minisearch.ts <variant>
import MiniSearch, { type SearchOptions } from 'minisearch'
import { serve } from '../child.ts'
import { maxResults } from '../contender.ts'
import type { Document } from '../corpus/documents.ts'
import { contenderOf, termOf, variant } from './library.ts'

const index = new MiniSearch<Document>({
  idField: 'code',
  fields: variant === 'fulltext' ? ['title', 'text'] : ['text'],
  processTerm: (word) => termOf(word.toLowerCase()),
})

const isLast = (_: string, place: number, all: string[]) => place === all.length - 1

const options: SearchOptions =
  variant === 'fulltext'
    ? { boost: { title: 3 }, combineWith: 'OR', prefix: isLast }
    : { combineWith: 'AND', prefix: isLast, fuzzy: (word) => (word.length < 5 ? 0 : word.length < 9 ? 1 : 2) }

const search = (text: string) => index.search(text, options).slice(0, maxResults).length

// Phrases are left out, since MiniSearch stores no positions of words.
serve(
  contenderOf({
    add: (document) => index.add(document),
    searchFor: (kind) => (kind === 'phrase' ? undefined : search),
  }),
)
