// Facts about fulltext and typeahead that the rest of the repository uses.
import type { Manifest } from '#core/manifest'

export const fulltext = {
  name: 'fulltext',
  title: 'Search',
  summary:
    'Full-text search: stemming in many languages, BM25 ranking, phrases and highlights; an index has up to 16 shards',
  group: 'Files and records',
  source: 'search',
  docs: ['search'],
  page: 'search',
  repeats: {
    harmless: ['POST /document', 'POST /documents'],
  },
} satisfies Manifest

export const typeahead = {
  name: 'typeahead',
  title: 'Search',
  summary: 'Search as you type (autocomplete): matches all words, the last one as a prefix, and tolerates typos',
  group: 'Files and records',
  source: 'search',
  docs: ['search'],
  page: 'search',
  repeats: {
    harmless: ['POST /document', 'POST /documents'],
  },
} satisfies Manifest
