import type { Variant } from './engine/documents.ts'

const shared = `Names of indexes are a-z, 0-9 and _, a letter first. A document is found as soon as its write is answered; one of the same code is \
replaced. A query has up to 10 000 characters, of which the first 100 different words count. An index lies in one durable object, or with \
"shards" in up to 16, which answer as one: documents go to them by their codes, scores are those of the whole. An object holds up to \
9.5 GB of documents and their index, and writes and searches of one object take turns: more shards hold more, and share the work of large \
searches; for small indexes one is faster. How many it has cannot be changed later. An \
index that is not there is 404 \`index_not_found\`, a write to a full object 503 \`index_full\`. Try it on the page at \`/_example\`.`

/** What each variant says of itself. */
export const about: Record<Variant, { title: string; description: string }> = {
  fulltext: {
    title: 'Full-text search',
    description: `Documents in named indexes, found by the words of title and text: any of them, without regard to case, accents and, by the \
stemmer of the index, endings; stop words count in phrases only, or where there are no others. More words and rarer ones rank higher (BM25), \
those in the title more. The last word may be the beginning of one; words in quotes must be there, in that order. ${shared}`,
  },
  typeahead: {
    title: 'Search as you type',
    description: `Documents in named indexes, found while their words are being typed: all words must be there, the last one or its \
beginning, without regard to case and accents. A word may have a typing error from five letters on, two from nine on: a letter too many, one \
too few, another one, or two that changed places. Exact words come first, then beginnings, then typing errors, of these the shorter documents. ${shared}`,
  },
}
