// Tests that the queries of lists use indexes, by the query plans of both databases.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '#core/db/open'
import { SignatureFilter } from '#signature/contract'
import { countOf, pageOf } from '#signature/list-filter'
import { databases } from '../support/databases.ts'
import { on, signaturesOn } from './support.ts'

const records = 20_000

describe.each(databases)('lists on $dialect', (database) => {
  const { store } = signaturesOn(on(database))
  const isD1 = store.dialect === 'd1'

  /**
   * Inserts records of 500 documents. All have a common tag and some a rare one, so that the planner of Postgres has realistic
   * statistics.
   */
  async function filled() {
    const { run } = store
    const numbers = isD1
      ? sql`(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.raw(`${records}`)}) SELECT i FROM n) n`
      : sql`generate_series(1, ${sql.raw(`${records}`)}) n(i)`
    const text = (prefix: string, number: string) => sql`${sql.raw(`'${prefix}'`)} || CAST(${sql.raw(number)} AS TEXT)`
    const now = sql.param(new Date(), store.records.created_at)
    const id = isD1 ? sql`` : sql`OVERRIDING SYSTEM VALUE`
    await run(sql`INSERT INTO ${store.records} (id, document, thread, version, save, created_at, updated_at) ${id}
      SELECT i, ${text('document', 'i % 500')}, ${text('thread', 'i')}, 1 + i % 499, '', ${now}, ${now} FROM ${numbers}
      WHERE i > 0`)
    await run(sql`INSERT INTO ${store.tags} (record_id, tag, document)
      SELECT i, 'all', ${text('document', 'i % 500')} FROM ${numbers} WHERE i > 0`)
    await run(sql`INSERT INTO ${store.tags} (record_id, tag, document)
      SELECT i, ${text('tag', 'i % 1000')}, ${text('document', 'i % 500')} FROM ${numbers} WHERE i > 0`)
    if (!isD1) for (const table of [store.records, store.tags]) await run(sql`ANALYZE ${table}`)
  }

  async function planOf(query: ReturnType<typeof pageOf>): Promise<string> {
    const result = await store.run(isD1 ? sql`EXPLAIN QUERY PLAN ${query}` : sql`EXPLAIN ${query}`)
    return rowsOf<Record<string, unknown>>(result)
      .map((row) => row.detail ?? row['QUERY PLAN'])
      .join('\n')
  }

  const whole = isD1 ? /SCAN (t|r|signature_\w+)(?! USING)/ : /Seq Scan on signature_/

  it('use indexes to find rows', async () => {
    await filled()
    for (const [index, filter] of [
      ['signature_tags_tag', { tags: ['all'] }],
      ['signature_tags_tag', { tags: ['all', 'tag1', 'tag2'] }],
      ['signature_tags_tag', { tags: ['all', 'tag1'], stage: '2' }],
      ['signature_tags_document', { tags: ['all', 'tag1'], document: 'document1' }],
      ['signature_records_document_thread', { document: 'document1', thread: 'thread7' }],
      ['signature_records_document', { document: 'document1' }],
      ['signature_records_document_version', { document: 'document1', stage: '2' }],
      ['signature_records_thread', { chain: 'thread7' }],
      ['signature_records_thread', { chain: 'thread7', stage: '2' }],
      ['signature_records_thread', { chain: 'thread7', tags: ['all', 'tag7'] }],
      ['signature_records_version', { stage: '2' }],
    ] as const) {
      const plan = await planOf(pageOf(store, SignatureFilter.parse(filter)))
      // Postgres chooses an index by statistics, so another index of the same table is accepted too.
      expect(plan).toMatch(
        isD1 || index.startsWith('signature_tags') ? new RegExp(`${index}\\b`) : /signature_records_/,
      )
      expect(plan).not.toMatch(whole)
      if (isD1 && !('tags' in filter)) expect(plan).not.toMatch(/TEMP B-TREE/)
    }
    const plan = await planOf(pageOf(store, SignatureFilter.parse({})))
    expect(plan).toMatch(isD1 ? /SCAN signature_records/ : /signature_records_pkey/)
    expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
  })

  it('use indexes to count', async () => {
    for (const filter of [{ tags: ['tag1', 'tag2'] }, { document: 'document1', tags: ['tag1'] }]) {
      const plan = await planOf(countOf(store, SignatureFilter.parse(filter)))
      expect(plan).toMatch(/signature_tags_\w+/)
      expect(plan).not.toMatch(whole)
    }
  })
})
