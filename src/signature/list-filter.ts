// Builds the SQL for lists of signatures: the ids of a page, and the number of matches of a filter. lists.ts runs it.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SignatureFilter } from './contract.ts'
import type { SignatureStore } from './schema.ts'
import { textRows } from './versions.ts'

/**
 * SQL for the ids of one page of records that match a filter, the newest first. With tags, it reads from the index of tags, for
 * each tag as many rows as the page can need. The cost thus does not depend on the number of records with the tag.
 */
export function pageOf(store: SignatureStore, filter: SignatureFilter): SQL {
  const { records } = store
  const { limit, offset } = filter
  const page = sql`ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`
  return usesTagIndex(filter)
    ? sql`SELECT DISTINCT id FROM ${idsByTag(store, filter.tags, firstIdsOfTag(store, filter))} ${page}`
    : sql`SELECT id FROM ${records} WHERE ${matchesFilter(store, filter)} ${page}`
}

/** SQL for the number of records that match a filter. */
export function countOf(store: SignatureStore, filter: SignatureFilter): SQL {
  const { records, tags } = store
  if (!usesTagIndex(filter)) return sql`SELECT count(*) AS n FROM ${records} WHERE ${matchesFilter(store, filter)}`
  const counted = and(isAnyTag(store, filter.tags), matchesOtherFilters(store, filter))
  return sql`SELECT count(DISTINCT t.record_id) AS n FROM ${tags} t WHERE ${counted}`
}

/**
 * Whether to search by the index of tags. A thread has few records, so that filtering these is cheaper; a document or a tag may
 * have a million.
 */
const usesTagIndex = ({ tags, thread, chain }: SignatureFilter) =>
  tags.length > 0 && thread === undefined && chain === undefined

const firstIdsOfTag = (store: SignatureStore, filter: SignatureFilter) => sql`
  SELECT t.record_id FROM ${store.tags} t
  WHERE ${and(sql`t.tag = j.value`, matchesOtherFilters(store, filter))}
  ORDER BY t.record_id DESC LIMIT ${filter.limit + filter.offset}`

/**
 * SQL that runs the query `first` for each tag `j.value` and returns rows with the column `id`. SQLite supports LATERAL only for
 * table functions, so there the rows pass through JSON.
 */
const idsByTag = (store: SignatureStore, tags: string[], first: SQL) =>
  store.dialect === 'd1'
    ? sql`(SELECT k.value AS id FROM ${textRows(store, tags)} j,
        json_each((SELECT json_group_array(record_id) FROM (${first}))) k)`
    : sql`(SELECT k.record_id AS id FROM ${textRows(store, tags)} j CROSS JOIN LATERAL (${first}) k) k`

const matchesOtherFilters = ({ records }: SignatureStore, { document, stage }: SignatureFilter) =>
  and(
    document === undefined ? undefined : sql`t.document = ${document}`,
    stage === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM ${records} r WHERE r.id = t.record_id AND r.version = ${versionOf(stage)})`,
  )

function matchesFilter(store: SignatureStore, { document, thread, chain, stage, tags }: SignatureFilter): SQL {
  const { records } = store
  const threads = [thread, chain].filter((one) => one !== undefined)
  // The unary plus keeps the database from using the index of versions, which would read all records of this version number instead
  // of the few of the thread.
  const version = threads.length > 0 ? sql`+${records.version}` : records.version
  const conditions = [
    document === undefined ? undefined : eq(records.document, document),
    ...threads.map((one) => eq(records.thread, one)),
    stage === undefined ? undefined : sql`${version} = ${versionOf(stage)}`,
    tags.length === 0 ? undefined : hasAnyTag(store, tags),
  ]
  return and(...conditions) ?? sql`1 = 1`
}

const hasAnyTag = (store: SignatureStore, tags: string[]) => sql`EXISTS (
  SELECT 1 FROM ${store.tags} t WHERE t.record_id = ${store.records.id} AND ${isAnyTag(store, tags)})`

/**
 * SQL condition that `t.tag` is one of the tags, in the form for which each database looks up each tag in the index instead of
 * scanning it.
 */
function isAnyTag(store: SignatureStore, tags: string[]): SQL {
  const values = sql`SELECT value FROM ${textRows(store, tags)} j`
  return store.dialect === 'd1' ? sql`t.tag IN (${values})` : sql`t.tag = ANY (ARRAY(${values}))`
}

/** Returns the version number of a stage. A stage that is not a number becomes 0, which no record has, so that nothing matches. */
const versionOf = (stage: string) => (/^[1-9]\d{0,14}$/.test(stage) ? Number(stage) : 0)
