import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { SignatureOf } from './contract.ts'
import { missingSignature } from './errors.ts'
import type { SignatureStore } from './schema.ts'
import { isRecord } from './versions.ts'

/** Deletes a record with its versions and tags, 404 where there is none; what they have in R2 is due to be removed. */
export async function deleteRecord(store: SignatureStore, given: SignatureOf): Promise<void> {
  const { db, records, versions, tags, traces } = store
  const save = crypto.randomUUID()
  const mine = and(isRecord(store, given), eq(records.save, save))
  const id = sql`(SELECT id FROM ${records} WHERE ${mine})`
  const now = sql.param(new Date(), traces.due_at)
  const [, , , , deleted] = await db.batch([
    // Waits for a save that is under way, on Postgres. The statements after it see all of the record that it holds then, and
    // leave alone one that has taken its place meanwhile.
    db.update(records).set({ save }).where(isRecord(store, given)),
    store.run(sql`
      INSERT INTO ${traces} (object, due_at)
      SELECT object, ${now} FROM ${versions} WHERE ${and(eq(versions.record_id, id), isNotNull(versions.object))}`),
    db.delete(tags).where(eq(tags.record_id, id)),
    db.delete(versions).where(eq(versions.record_id, id)),
    db.delete(records).where(mine).returning({ id: records.id }),
  ])
  if (deleted.length === 0) throw missingSignature(given)
}
