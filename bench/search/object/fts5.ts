// SQLite's FTS5 in a durable object, a peer of our search in the benchmark.
import { maxResults } from '../contender.ts'
import type { Document } from '../corpus/documents.ts'
import { SearchObject } from './engine.ts'

const tables = [
  'CREATE TABLE IF NOT EXISTS documents (row INTEGER PRIMARY KEY, code TEXT UNIQUE, title TEXT, text TEXT)',
  `CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5(title, text, content='', prefix='1 2 3')`,
  `INSERT OR REPLACE INTO terms (terms, rank) VALUES ('rank', 'bm25(3.0, 1.0)')`,
]

/** SQLite's full-text index over the terms of our text analysis. A second table has the documents. */
export class Fts5 extends SearchObject {
  readonly #sql = this.ctx.storage.sql

  protected add(variant: string, documents: Document[]) {
    this.ctx.storage.transactionSync(() => {
      for (const table of tables) this.#sql.exec(table)
      for (const { code, title, text } of documents) {
        const { row } = this.#sql
          .exec<{ row: number }>(
            'INSERT INTO documents (code, title, text) VALUES (?, ?, ?) RETURNING row',
            code,
            title,
            text,
          )
          .one()
        const terms = [variant === 'fulltext' ? this.#termsOf(variant, title) : '', this.#termsOf(variant, text)]
        this.#sql.exec('INSERT INTO terms (rowid, title, text) VALUES (?, ?, ?)', row, ...terms)
      }
    })
  }

  protected override answers(kind: string): boolean {
    return !kind.startsWith('typo')
  }

  protected search(variant: string, kind: string, text: string): number {
    const words = this.analyzerOf(variant).queryTokens(text)
    const telling = words.filter(({ isStopword }) => !isStopword)
    const terms = (telling.length > 0 ? telling : words).map(({ term }) => term)
    const match =
      kind === 'phrase'
        ? `"${words.map(({ term }) => term).join(' ')}"`
        : `${terms.map((term) => `"${term}"`).join(variant === 'fulltext' ? ' OR ' : ' AND ')} *`
    return this.#sql
      .exec(`SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ${maxResults}`, match)
      .toArray().length
  }

  #termsOf(variant: string, text: string): string {
    const terms: string[] = []
    this.analyzerOf(variant).forEachWord(text, ({ term }) => terms.push(term))
    return terms.join(' ')
  }
}
