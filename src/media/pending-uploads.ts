import { asc, eq, lte } from 'drizzle-orm'
import type { StorageEnv } from './env.ts'
import { fileKey, prefixOf } from './r2-keys.ts'
import type { MediaStore } from './schema.ts'

const day = 86_400_000

/** Notes that there may be something in R2 under a digest from now on; after a day it counts as lost. */
export const addPendingUpload = (
  { db, pendingUploads }: MediaStore,
  digest: string,
  due_at = new Date(Date.now() + day),
) => db.insert(pendingUploads).values({ digest, due_at })

/** Notes the upload in parts that goes with it. */
export async function recordMultipartUpload(
  { db, pendingUploads }: MediaStore,
  digest: string,
  upload: string,
): Promise<void> {
  await db.update(pendingUploads).set({ upload }).where(eq(pendingUploads.digest, digest))
}

/**
 * Removes what was begun and will not be ended; its item too, which a database may have added without saying so. What fails
 * here is done by the sweep.
 */
export async function discardUpload(env: StorageEnv, store: MediaStore, digest: string): Promise<void> {
  const { db, items, pendingUploads } = store
  const due_at = new Date()
  await db.batch([
    db
      .insert(pendingUploads)
      .values({ digest, due_at })
      .onConflictDoUpdate({ target: pendingUploads.digest, set: { due_at } }),
    db.delete(items).where(eq(items.digest, digest)),
  ])
  await removePendingUpload(env, store, digest)
}

async function removePendingUpload(env: StorageEnv, { db, pendingUploads }: MediaStore, digest: string): Promise<void> {
  await removeObjects(env.FILES, prefixOf(digest))
  await db.delete(pendingUploads).where(eq(pendingUploads.digest, digest))
}

const perPage = 100
const patience = 20_000

/** Removes from R2 what has no item, the longest due first, for 20 seconds at most. */
export async function removeExpiredUploads(env: StorageEnv, store: MediaStore, now = new Date()): Promise<void> {
  const { db, pendingUploads } = store
  const end = Date.now() + patience
  do {
    const due = await db
      .select()
      .from(pendingUploads)
      .where(lte(pendingUploads.due_at, now))
      .orderBy(asc(pendingUploads.due_at))
      .limit(perPage)
    for (const { digest, upload } of due) {
      if (upload) await abort(env.FILES, digest, upload)
      await removePendingUpload(env, store, digest)
      if (Date.now() > end) return
    }
    if (due.length < perPage) return
  } while (Date.now() < end)
}

/** R2 refuses to end an upload that was completed, or ended before. */
const abort = (files: R2Bucket, digest: string, upload: string) =>
  files
    .resumeMultipartUpload(fileKey(digest), upload)
    .abort()
    .catch(() => undefined)

/** Removes all that R2 has under a prefix. */
export async function removeObjects(files: R2Bucket, prefix: string): Promise<void> {
  let more = true
  while (more) {
    const { objects, truncated } = await files.list({ prefix })
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key))
    more = truncated
  }
}
