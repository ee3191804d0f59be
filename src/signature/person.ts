// Data of persons in the signature store: the author of a version is replaced. The signed data is kept, because it is evidence.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { type SignatureStore, schema } from './schema.ts'

/** Stored in place of an erased author. */
const erasedAuthor = 'erased'

/** Versions that one step reads. The author has no index, since no request filters by it. */
const versionsPerStep = 1_000

/** The versions of one step: those after the cursor, a pair of record and version, up to a last one. */
async function nextVersions(
  { db, versions }: SignatureStore,
  cursor = '[0,0]',
): Promise<{ range: SQL; next?: string } | undefined> {
  const [record, version] = JSON.parse(cursor) as [number, number]
  const key = sql`(${versions.record_id}, ${versions.version})`
  const after = sql`${key} > (${record}, ${version})`
  const page = await db
    .select({ record_id: versions.record_id, version: versions.version })
    .from(versions)
    .where(after)
    .orderBy(asc(versions.record_id), asc(versions.version))
    .limit(versionsPerStep)
  const last = page.at(-1)
  if (!last) return undefined
  const range = sql`${after} AND ${key} <= (${last.record_id}, ${last.version})`
  return { range, ...(page.length === versionsPerStep && { next: JSON.stringify([last.record_id, last.version]) }) }
}

const authors: PersonalPlace<Env> = {
  name: 'versions',
  columns: { signature_versions: ['version_created_by'] },
  async erase(env, { user }, cursor) {
    const store = open(env, schema)
    const { db, versions } = store
    const step = user === undefined || user === erasedAuthor ? undefined : await nextVersions(store, cursor)
    if (!step) return { erased: 0 }
    const update = db
      .update(versions)
      .set({ version_created_by: erasedAuthor })
      .where(and(step.range, eq(versions.version_created_by, user!)))
    return { erased: affectedRows(await update), next: step.next }
  },
  async read(env, { user }, cursor) {
    const store = open(env, schema)
    const { db, versions } = store
    const step = user === undefined ? undefined : await nextVersions(store, cursor)
    if (!step) return { rows: [] }
    const { record_id, version, size, signers, version_created_by, version_created_at, version_comment } = versions
    const rows = await db
      .select({ record_id, version, size, signers, version_created_by, version_created_at, version_comment })
      .from(versions)
      .where(and(step.range, eq(version_created_by, user!)))
    return { rows, next: step.next }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [authors]
