// Facts about fulltext and typeahead for the gateway, the console, the generated client and the scripts: titles, summaries, and
// operations that may be repeated.
import type { Manifest } from '#core/manifest'

export const fulltext = {
  name: 'fulltext',
  title: 'Search',
  summary:
    'Full-text search: stemming in many languages, BM25 ranking, phrases and highlights; an index has up to 16 shards',
  group: 'Files and records',
  bindable: ['index'],
  source: 'search',
  docs: ['search'],
  page: 'search',
  repeats: {
    harmless: ['POST /document', 'POST /document/search', 'POST /documents', 'POST /documents/search'],
  },
} satisfies Manifest

export const typeahead = {
  name: 'typeahead',
  title: 'Search',
  summary: 'Search as you type (autocomplete): matches all words, the last one as a prefix, and tolerates typos',
  group: 'Files and records',
  bindable: ['index'],
  source: 'search',
  docs: ['search'],
  page: 'search',
  repeats: {
    harmless: ['POST /document', 'POST /document/search', 'POST /documents', 'POST /documents/search'],
  },
} satisfies Manifest
