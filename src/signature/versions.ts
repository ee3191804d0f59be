import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SignatureOf, VersionOf } from './contract.ts'
import { missingSignature } from './errors.ts'
import type { SignatureStore } from './schema.ts'

type Row = SignatureStore['versions']['$inferSelect']

/** A version as a save makes it. */
interface NewVersion extends SignatureOf, Omit<Row, 'record_id' | 'version' | 'tags'> {
  /** The version that it follows; 0 where there is none. */
  after: number
  tags: string[]
}

/**
 * Adds a version to its record, which the first one makes: `saved` where it follows the newest, else nothing but the
 * `current` version, 0 where there is none. One batch: of all that follow the same version one comes to pass.
 */
export async function addVersion(store: SignatureStore, given: NewVersion) {
  const { db, records, tags, traces } = store
  const save = crypto.randomUUID()
  const mine = and(isRecord(store, given), eq(records.save, save))!
  const hasWon = sql`EXISTS (SELECT 1 FROM ${records} WHERE ${mine})`
  const [[saved], [found]] = await db.batch([
    moveOn(store, given, save),
    db.select({ version: records.version }).from(records).where(isRecord(store, given)),
    insertVersion(store, given, mine),
    db.delete(tags).where(sql`${tags.record_id} = (SELECT id FROM ${records} WHERE ${mine})`),
    ...(given.tags.length > 0 ? [insertTags(store, given.tags, mine)] : []),
    ...(given.object === null ? [] : [db.delete(traces).where(and(eq(traces.object, given.object), hasWon))]),
  ])
  return { saved, current: found?.version ?? 0 }
}

export const isRecord = ({ records }: SignatureStore, { document, thread }: SignatureOf) =>
  and(eq(records.document, document), eq(records.thread, thread))!

/** Makes the record, or moves it on by a version, and holds it until the batch ends; nothing where `after` is not its version. */
function moveOn({ db, records }: SignatureStore, { document, thread, after, ...given }: NewVersion, save: string) {
  const { id, version, created_at, updated_at } = records
  const now = given.version_created_at
  const next = { version: after + 1, save, updated_at: now }
  const shown = { id, version, created_at, updated_at }
  if (after > 1)
    return db
      .update(records)
      .set(next)
      .where(and(eq(records.document, document), eq(records.thread, thread), eq(version, after)))
      .returning(shown)
  return db
    .insert(records)
    .values({ document, thread, version: 1, save, created_at: now, updated_at: now })
    .onConflictDoUpdate({ target: [records.document, records.thread], set: next, setWhere: eq(version, after) })
    .returning(shown)
}

function insertVersion({ run, records, versions }: SignatureStore, given: NewVersion, mine: SQL) {
  const { format, signature, object, size, signers, version_created_by, version_comment } = given
  const version_created_at = sql.param(given.version_created_at, versions.version_created_at)
  return run(sql`
    INSERT INTO ${versions} (record_id, version, format, signature, object, size, signers, tags,
      version_created_by, version_created_at, version_comment)
    SELECT id, version, ${format}, ${signature}, ${object}, ${size}, ${signers}, ${JSON.stringify(given.tags)},
      ${version_created_by}, ${version_created_at}, ${version_comment}
    FROM ${records} WHERE ${mine}`)
}

function insertTags(store: SignatureStore, given: string[], mine: SQL) {
  const { run, records, tags } = store
  return run(sql`
    INSERT INTO ${tags} (record_id, tag, document)
    SELECT ${records.id}, t.value, ${records.document} FROM ${records}, ${textsOf(store, given)} t WHERE ${mine}`)
}

/** Texts as rows of a `value`, to be named by an alias. */
export const textsOf = ({ dialect }: SignatureStore, texts: string[]): SQL =>
  dialect === 'd1'
    ? sql`json_each(${JSON.stringify(texts)})`
    : sql`(SELECT value FROM json_array_elements_text(CAST(${JSON.stringify(texts)} AS json)) e(value))`

/** A version of a record, the newest unless one is named; 404 where there is none. */
export async function findVersion(store: SignatureStore, asked: VersionOf) {
  const { db, records, versions } = store
  const isAsked = and(eq(versions.record_id, records.id), eq(versions.version, asked.version ?? records.version))
  const [found] = await db
    .select({ ...getTableColumns(records), ...getTableColumns(versions) })
    .from(records)
    .innerJoin(versions, isAsked)
    .where(isRecord(store, asked))
  if (!found) throw missingSignature(asked)
  return found
}
