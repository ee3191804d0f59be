import type { Manifest } from '#core/manifest'

export const fulltext = {
  name: 'fulltext',
  title: 'Search',
  summary:
    'Full-text search: stemming in many languages, ranking by BM25, phrases, highlights; an index grows over up to 16 objects',
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
  summary: 'Search as you type: all words, the last one or its beginning, with typing errors; stable while one types',
  group: 'Files and records',
  source: 'search',
  docs: ['search'],
  page: 'search',
  repeats: {
    harmless: ['POST /document', 'POST /documents'],
  },
} satisfies Manifest
