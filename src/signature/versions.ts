// Stores versions of signatures in the database with optimistic locking, and finds them.
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SignatureOf, VersionOf } from './contract.ts'
import { missingSignature } from './errors.ts'
import type { SignatureStore } from './schema.ts'

type Row = SignatureStore['versions']['$inferSelect']

/** A version that is to be saved. */
interface NewVersion extends SignatureOf, Omit<Row, 'record_id' | 'version' | 'tags'> {
  /** Number of the version that this one follows, as the client sent it; 0 or 1 for the first version. */
  after: number
  tags: string[]
}

/**
 * Adds a version, and creates the record with the first one. `saved` is undefined if the version does not follow the newest one;
 * `current` is the newest version, 0 if there is none. All statements run in one batch, so that of several saves that follow the
 * same version, one succeeds.
 */
export async function addVersion(store: SignatureStore, next: NewVersion) {
  const { db, records, tags, orphans } = store
  const save = crypto.randomUUID()
  const isOurs = and(isRecord(store, next), eq(records.save, save))!
  const isSaved = sql`EXISTS (SELECT 1 FROM ${records} WHERE ${isOurs})`
  const [[saved], [found]] = await db.batch([
    advanceRecord(store, next, save),
    db.select({ version: records.version }).from(records).where(isRecord(store, next)),
    insertVersion(store, next, isOurs),
    db.delete(tags).where(sql`${tags.record_id} = (SELECT id FROM ${records} WHERE ${isOurs})`),
    ...(next.tags.length > 0 ? [insertTags(store, next.tags, isOurs)] : []),
    ...(next.object === null ? [] : [db.delete(orphans).where(and(eq(orphans.object, next.object), isSaved))]),
  ])
  return { saved, current: found?.version ?? 0 }
}

/** SQL condition that selects the record of a document and thread. */
export const isRecord = ({ records }: SignatureStore, { document, thread }: SignatureOf) =>
  and(eq(records.document, document), eq(records.thread, thread))!

/**
 * Creates the record, or increments its version if that is `after`, and locks the record until the batch ends. Otherwise changes
 * nothing, and returns no row.
 */
function advanceRecord(
  { db, records }: SignatureStore,
  { document, thread, after, version_created_at: now }: NewVersion,
  save: string,
) {
  const { id, version, created_at, updated_at } = records
  const advanced = { version: after + 1, save, updated_at: now }
  const returned = { id, version, created_at, updated_at }
  if (after > 1)
    return db
      .update(records)
      .set(advanced)
      .where(and(eq(records.document, document), eq(records.thread, thread), eq(version, after)))
      .returning(returned)
  return db
    .insert(records)
    .values({ document, thread, version: 1, save, created_at: now, updated_at: now })
    .onConflictDoUpdate({ target: [records.document, records.thread], set: advanced, setWhere: eq(version, after) })
    .returning(returned)
}

function insertVersion({ run, records, versions }: SignatureStore, next: NewVersion, isOurs: SQL) {
  const { format, signature, object, size, signers, version_created_by, version_comment } = next
  const version_created_at = sql.param(next.version_created_at, versions.version_created_at)
  return run(sql`
    INSERT INTO ${versions} (record_id, version, format, signature, object, size, signers, tags,
      version_created_by, version_created_at, version_comment)
    SELECT id, version, ${format}, ${signature}, ${object}, ${size}, ${signers}, ${JSON.stringify(next.tags)},
      ${version_created_by}, ${version_created_at}, ${version_comment}
    FROM ${records} WHERE ${isOurs}`)
}

function insertTags(store: SignatureStore, texts: string[], isOurs: SQL) {
  const { run, records, tags } = store
  return run(sql`
    INSERT INTO ${tags} (record_id, tag, document)
    SELECT ${records.id}, t.value, ${records.document} FROM ${records}, ${textRows(store, texts)} t WHERE ${isOurs}`)
}

/** SQL that returns texts as rows with the column `value`. The caller must give it an alias. */
export const textRows = ({ dialect }: SignatureStore, texts: string[]): SQL =>
  dialect === 'd1'
    ? sql`json_each(${JSON.stringify(texts)})`
    : sql`(SELECT value FROM json_array_elements_text(CAST(${JSON.stringify(texts)} AS json)) e(value))`

/** Finds a version of a record, by default the newest one. Throws 404 if there is none. */
export async function findVersion(store: SignatureStore, request: VersionOf) {
  const { db, records, versions } = store
  const isVersion = and(eq(versions.record_id, records.id), eq(versions.version, request.version ?? records.version))
  const [found] = await db
    .select({ ...getTableColumns(records), ...getTableColumns(versions) })
    .from(records)
    .innerJoin(versions, isVersion)
    .where(isRecord(store, request))
  if (!found) throw missingSignature(request)
  return found
}
