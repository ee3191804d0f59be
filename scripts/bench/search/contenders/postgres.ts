// PostgreSQL: node scripts/bench/search/contenders/postgres.ts <variant> <its URL>
import { performance } from 'node:perf_hooks'
import { Client } from 'pg'
import { serve } from '../child.ts'
import { most, type Variant } from '../contender.ts'
import type { Kind } from '../corpus/queries.ts'
import { readCorpus } from '../documents-file.ts'

const [variant, connectionString] = process.argv.slice(2) as [Variant, string]

const client = new Client({ connectionString })
await client.connect()

// Documents can be found as soon as they are inserted, as with ours: the indexes are there from the beginning.
// Its own English stemmer is Snowball's too. As you type, short documents come first, as ours do: an index has that order.
const schemas: Record<Variant, string[]> = {
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

/** Words for trigrams to look typing errors up in, as the documentation of pg_trgm proposes. */
const vocabulary = [
  `CREATE TABLE words AS SELECT word FROM ts_stat('SELECT words FROM documents')`,
  'CREATE INDEX ON words USING gin (word gin_trgm_ops)',
]

const ranked = `ORDER BY ts_rank('{0.33, 0.33, 0.33, 1}', words, query, 1) DESC LIMIT ${most}`
const anyWord = `SELECT code FROM documents, to_tsquery('english', $1) query WHERE words @@ query ${ranked}`
const phrase = `SELECT code FROM documents, phraseto_tsquery('english', $1) query WHERE words @@ query ${ranked}`
const allWords = `SELECT code FROM documents WHERE words @@ to_tsquery('simple', $1) ORDER BY size LIMIT ${most}`
const alike = `WITH near AS
    (SELECT word FROM words WHERE word % $1 AND levenshtein_less_equal(word, $1, 2) <= 2)
  SELECT code FROM documents WHERE words @@ (SELECT string_agg(quote_literal(word), ' | ')::tsquery FROM near)
  ORDER BY size LIMIT ${most}`

function statementOf(kind: Kind): string {
  if (kind === 'phrase') return phrase
  if (kind.startsWith('typo')) return alike
  return variant === 'fulltext' ? anyWord : allWords
}

/** All words, the last as a prefix, as `to_tsquery` reads it. */
const operators = (text: string) => `${text.replaceAll(' ', variant === 'fulltext' ? ' | ' : ' & ')}:*`

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
    const [times, text]: [number[], string] = [[], statementOf(kind)]
    const asWritten = kind === 'phrase' || kind.startsWith('typo')
    let found = 0
    for (const one of texts) {
      const values = [asWritten ? one : operators(one)]
      times.push(
        await timeOf(async () => {
          const { rows } = await client.query({ name: kind, text, values })
          if (rows.length > 0) found++
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
