// Garbage collection of R2: records digests whose objects in R2 may have no item, and deletes these objects when they are due.
import { asc, eq, lte } from 'drizzle-orm'
import type { StorageEnv } from './env.ts'
import { fileKey, prefixOf } from './r2-keys.ts'
import type { MediaStore } from './schema.ts'

const uploadLifetimeMs = 86_400_000

/**
 * Records that R2 may have objects of a digest without an item. The sweep deletes these objects after `due_at`, by default after a
 * day.
 */
export const addPendingUpload = (
  { db, pendingUploads }: MediaStore,
  digest: string,
  due_at = new Date(Date.now() + uploadLifetimeMs),
) => db.insert(pendingUploads).values({ digest, due_at })

/**
 * Records the id of a multipart upload: R2 does not list its parts as objects, so only this id lets the sweep abort the upload
 * after a crash.
 */
export async function recordMultipartUpload(
  { db, pendingUploads }: MediaStore,
  digest: string,
  upload: string,
): Promise<void> {
  await db.update(pendingUploads).set({ upload }).where(eq(pendingUploads.digest, digest))
}

/**
 * Discards a failed upload: deletes its objects, and its item, which may exist if the database stored it but the reply was lost. If
 * this fails, the sweep repeats the cleanup.
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

const pageSize = 100
const sweepBudgetMs = 20_000

/** Deletes the objects of uploads that are due, earliest first, for at most 20 seconds, so that a run of the sweep ends in time. */
export async function removeExpiredUploads(env: StorageEnv, store: MediaStore, now = new Date()): Promise<void> {
  const { db, pendingUploads } = store
  const end = Date.now() + sweepBudgetMs
  do {
    const due = await db
      .select()
      .from(pendingUploads)
      .where(lte(pendingUploads.due_at, now))
      .orderBy(asc(pendingUploads.due_at))
      .limit(pageSize)
    for (const { digest, upload } of due) {
      if (upload) await abort(env.FILES, digest, upload)
      await removePendingUpload(env, store, digest)
      if (Date.now() > end) return
    }
    if (due.length < pageSize) return
  } while (Date.now() < end)
}

/** Aborts a multipart upload. R2 returns an error if the upload was completed or aborted before; that error is ignored. */
const abort = (files: R2Bucket, digest: string, upload: string) =>
  files
    .resumeMultipartUpload(fileKey(digest), upload)
    .abort()
    .catch(() => undefined)

/** Deletes all objects in R2 whose key begins with a prefix. */
export async function removeObjects(files: R2Bucket, prefix: string): Promise<void> {
  let hasMore = true
  while (hasMore) {
    const { objects, truncated } = await files.list({ prefix })
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key))
    hasMore = truncated
  }
}
