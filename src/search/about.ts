// Titles and descriptions of the components fulltext and typeahead in their OpenAPI documents.
import type { Variant } from './engine/indexed-document.ts'

const shared = `A document is found as soon as its write returns, and replaces the document with the same \`code\`. A query has up to 10 000 characters; \
its first 100 different words count. An index is stored in one durable object, or in up to 16 with \`shards\`. A document belongs to the shard that the \
hash of its code gives, and scores use the statistics of all shards, so the results do not depend on the number of shards. A shard holds up to 9.5 GB of \
documents and index data, and runs one write or search at a time. More shards hold more documents and share the work of large searches; a small index is \
fastest with one. The number of shards is fixed when the index is created. A call for an index that does not exist returns 404 \`index_not_found\`; a write to \
a full shard returns 503 \`index_full\`. Try the component on the page \`/_example\`.`

export const about: Record<Variant, { title: string; description: string }> = {
  fulltext: {
    title: 'Full-text search',
    description: `Ranked search for whole documents, for a results page. A document matches if its title or text has at least one word of the query; \
case, accents and word endings (removed by the stemmer of the index) are ignored. Results are ranked by BM25: documents with more of the words, rarer words, \
or words in the title come first. The last word of a query also matches as a prefix. Words in quotation marks must occur in that order. Stop words are ignored \
outside phrases, unless the query has no other words. ${shared}`,
  },
  typeahead: {
    title: 'Search as you type',
    description: `Autocomplete: search while the user types, for a suggestion box. A document matches if it has all words of the query; the last word also \
matches as a prefix. Case and accents are ignored. A word of five to eight letters may have one typo, a longer one two: a missing, extra or wrong letter, or two \
adjacent letters swapped. Words with digits may have none. Exact words rank first, then prefixes, then typos; among equals, documents with fewer words come first. \
${shared}`,
  },
}
