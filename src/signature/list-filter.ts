import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SignatureFilter } from './contract.ts'
import type { SignatureStore } from './schema.ts'
import { textsOf } from './versions.ts'

/**
 * The ids of the records that a filter chooses, the newest first, of one page. Tags are looked up in their index: of each as
 * many as the page may need, so that it costs the same however many records have them.
 */
export function pageOf(store: SignatureStore, filter: SignatureFilter): SQL {
  const { records } = store
  const { limit, offset } = filter
  const page = sql`ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`
  return isByTags(filter)
    ? sql`SELECT DISTINCT id FROM ${eachTag(store, filter.tags, firstOfTag(store, filter))} ${page}`
    : sql`SELECT id FROM ${records} WHERE ${chosen(store, filter)} ${page}`
}

/** How many records a filter chooses. */
export function countOf(store: SignatureStore, filter: SignatureFilter): SQL {
  const { records, tags } = store
  if (!isByTags(filter)) return sql`SELECT count(*) AS n FROM ${records} WHERE ${chosen(store, filter)}`
  const counted = and(isAny(store, filter.tags), besidesTag(store, filter))
  return sql`SELECT count(DISTINCT t.record_id) AS n FROM ${tags} t WHERE ${counted}`
}

/** A thread has few records, a document and a tag may have a million. */
const isByTags = ({ tags, thread, chain }: SignatureFilter) =>
  tags.length > 0 && thread === undefined && chain === undefined

const firstOfTag = (store: SignatureStore, filter: SignatureFilter) => sql`
  SELECT t.record_id FROM ${store.tags} t
  WHERE ${and(sql`t.tag = j.value`, besidesTag(store, filter))}
  ORDER BY t.record_id DESC LIMIT ${filter.limit + filter.offset}`

/** What `first` gives for each tag `j.value`, as rows of an `id`. SQLite has LATERAL for functions alone. */
const eachTag = (store: SignatureStore, tags: string[], first: SQL) =>
  store.dialect === 'd1'
    ? sql`(SELECT k.value AS id FROM ${textsOf(store, tags)} j,
        json_each((SELECT json_group_array(record_id) FROM (${first}))) k)`
    : sql`(SELECT k.record_id AS id FROM ${textsOf(store, tags)} j CROSS JOIN LATERAL (${first}) k) k`

const besidesTag = ({ records }: SignatureStore, { document, stage }: SignatureFilter) =>
  and(
    document === undefined ? undefined : sql`t.document = ${document}`,
    stage === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM ${records} r WHERE r.id = t.record_id AND r.version = ${versionOf(stage)})`,
  )

function chosen(store: SignatureStore, { document, thread, chain, stage, tags }: SignatureFilter): SQL {
  const { records } = store
  const threads = [thread, chain].filter((one) => one !== undefined)
  // By the index of versions a thread would be looked for among all records of a version.
  const version = threads.length > 0 ? sql`+${records.version}` : records.version
  const conditions = [
    document === undefined ? undefined : eq(records.document, document),
    ...threads.map((one) => eq(records.thread, one)),
    stage === undefined ? undefined : sql`${version} = ${versionOf(stage)}`,
    tags.length === 0 ? undefined : hasAny(store, tags),
  ]
  return and(...conditions) ?? sql`1 = 1`
}

const hasAny = (store: SignatureStore, tags: string[]) => sql`EXISTS (
  SELECT 1 FROM ${store.tags} t WHERE t.record_id = ${store.records.id} AND ${isAny(store, tags)})`

/** Whether `t.tag` is one of them, said so that the database looks each up. */
function isAny(store: SignatureStore, tags: string[]): SQL {
  const values = sql`SELECT value FROM ${textsOf(store, tags)} j`
  return store.dialect === 'd1' ? sql`t.tag IN (${values})` : sql`t.tag = ANY (ARRAY(${values}))`
}

/** The version that a stage is; 0, which no record has, for other texts. */
const versionOf = (stage: string) => (/^[1-9]\d{0,14}$/.test(stage) ? Number(stage) : 0)
