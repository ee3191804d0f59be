// PostgreSQL's full-text search in the benchmark: node bench/search/contenders/postgres.ts <variant> <its URL>
import { performance } from 'node:perf_hooks'
import { Client } from 'pg'
import { serve } from '../child.ts'
import { type IndexVariant, maxResults } from '../contender.ts'
import type { QueryKind } from '../corpus/queries.ts'
import { readCorpus } from '../documents-file.ts'

const [variant, connectionString] = process.argv.slice(2) as [IndexVariant, string]

const client = new Client({ connectionString })
await client.connect()

// The indexes exist before the documents, so that a document can be found as soon as it is inserted, as in our search.
// Postgres' English stemmer is Snowball's, like ours. Typeahead puts short documents first, in the order of an index,
// as ours does.
const schemas: Record<IndexVariant, string[]> = {
  fulltext: [
    `CREATE TABLE documents (code text PRIMARY KEY, title text, text text, words tsvector GENERATED ALWAYS AS
       (setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'D')) STORED)`,
    'CREATE INDEX ON documents USING gin (words)',
  ],
  typeahead: [
    `CREATE TABLE documents (code text PRIMARY KEY, title text, text text,
       words tsvector GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED,
       size int GENERATED ALWAYS AS (length(text)) STORED)`,
    'CREATE INDEX ON documents USING gin (words)',
    'CREATE INDEX ON documents (size)',
  ],
}

/**
 * A table of all words with trigrams, by which typing errors are corrected, as the documentation of pg_trgm proposes.
 */
const vocabulary = [
  `CREATE TABLE words AS SELECT word FROM ts_stat('SELECT words FROM documents')`,
  'CREATE INDEX ON words USING gin (word gin_trgm_ops)',
]

const ranked = `ORDER BY ts_rank('{0.33, 0.33, 0.33, 1}', words, query, 1) DESC LIMIT ${maxResults}`
const anyWord = `SELECT code FROM documents, to_tsquery('english', $1) query WHERE words @@ query ${ranked}`
const phrase = `SELECT code FROM documents, phraseto_tsquery('english', $1) query WHERE words @@ query ${ranked}`
// Puts matches of the whole word first, then matches of its prefix, then the shortest documents.
const allWords = `SELECT code FROM (
    (SELECT code, size, 0 AS cost FROM documents WHERE words @@ to_tsquery('simple', $1) ORDER BY size LIMIT ${maxResults})
    UNION ALL
    (SELECT code, size, 1 FROM documents WHERE words @@ to_tsquery('simple', $2) ORDER BY size LIMIT ${2 * maxResults})
  ) found GROUP BY code ORDER BY min(cost), min(size) LIMIT ${maxResults}`

/**
 * SQL that matches every word or a similar one. Each word has two parameters: the word, and the allowed number of
 * typing errors.
 */
const alike = (words: number) => {
  const near = Array.from({ length: words }, (_, n) => {
    const [word, errors] = [`$${2 * n + 1}::text`, `$${2 * n + 2}::int`]
    return `(SELECT coalesce(string_agg(quote_literal(word), ' | '), quote_literal(${word}))::tsquery FROM words
      WHERE word % ${word} AND levenshtein_less_equal(word, ${word}, ${errors}) <= ${errors})`
  })
  return `SELECT code FROM documents WHERE words @@ (${near.join(' && ')}) ORDER BY size LIMIT ${maxResults}`
}

/** Typeahead: searches first without typing errors, then with them if there are too few results. */
async function searchTyped(text: string): Promise<number> {
  const words = text.split(' ')
  const exact = words.join(' & ')
  const { rows } = await client.query({ name: 'typed', text: allWords, values: [exact, `${exact}:*`] })
  const errors = words.map((word) => (word.length < 5 ? 0 : word.length < 9 ? 1 : 2))
  if (rows.length >= maxResults || errors.every((allowed) => allowed === 0)) return rows.length
  const values = words.flatMap((word, n) => [word, errors[n]])
  const more = await client.query({ name: `alike ${words.length}`, text: alike(words.length), values })
  return rows.length + more.rows.length
}

/** Full-text search: any of the words, with the last one as a prefix, or the phrase. */
async function searchText(kind: QueryKind, text: string): Promise<number> {
  const values = [kind === 'phrase' ? text : `${text.replaceAll(' ', ' | ')}:*`]
  const { rows } = await client.query({ name: kind, text: kind === 'phrase' ? phrase : anyWord, values })
  return rows.length
}

serve({
  index: async (file) => {
    const extensions = ['CREATE EXTENSION pg_trgm', 'CREATE EXTENSION fuzzystrmatch']
    for (const setUp of [...extensions, ...schemas[variant]]) await client.query(setUp)
    let taken = 0
    const insert = 'INSERT INTO documents (code, title, text) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])'
    for await (const documents of readCorpus(file)) {
      const columns = [
        documents.map(({ code }) => code),
        documents.map(({ title }) => title),
        documents.map(({ text }) => text),
      ]
      taken += await timeOf(() => client.query(insert, columns))
    }
    const last = variant === 'typeahead' ? [...vocabulary, 'VACUUM ANALYZE'] : ['VACUUM ANALYZE']
    for (const one of last) taken += await timeOf(() => client.query(one))
    return taken
  },
  search: async (kind, texts) => {
    const times: number[] = []
    let found = 0
    for (const text of texts) {
      times.push(
        await timeOf(async () => {
          if ((await (variant === 'fulltext' ? searchText(kind, text) : searchTyped(text))) > 0) found++
        }),
      )
    }
    return { times, found }
  },
  size: async () => {
    const tables = variant === 'typeahead' ? ['documents', 'words'] : ['documents']
    const { rows } = await client.query(
      `SELECT sum(pg_total_relation_size(name)) size FROM unnest($1::regclass[]) name`,
      [tables],
    )
    return { disk: Number(rows[0].size) }
  },
  end: () => client.end(),
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
