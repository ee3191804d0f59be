// Records uploads whose objects may be in R2 without an item, and deletes these objects when they are due: garbage collection of R2.
import { asc, eq, lte } from 'drizzle-orm'
import type { StorageEnv } from './env.ts'
import { fileKey, prefixOf } from './r2-keys.ts'
import type { MediaStore } from './schema.ts'

const uploadLifetimeMs = 86_400_000

/** Records that R2 may have objects of a digest without an item. They are deleted at `due_at`, by default after a day. */
export const addPendingUpload = (
  { db, pendingUploads }: MediaStore,
  digest: string,
  due_at = new Date(Date.now() + uploadLifetimeMs),
) => db.insert(pendingUploads).values({ digest, due_at })

/** Records the id of the multipart upload, so that the sweep can abort it. */
export async function recordMultipartUpload(
  { db, pendingUploads }: MediaStore,
  digest: string,
  upload: string,
): Promise<void> {
  await db.update(pendingUploads).set({ upload }).where(eq(pendingUploads.digest, digest))
}

/**
 * Discards a failed upload: deletes its objects and its item, which may exist if the database lost the reply to the insert. If this
 * fails, the sweep repeats it.
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

/** Deletes the objects of uploads that are due, earliest first, for at most 20 seconds. */
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

/** Aborts a multipart upload. R2 fails if the upload was completed or aborted before, which is ignored. */
const abort = (files: R2Bucket, digest: string, upload: string) =>
  files
    .resumeMultipartUpload(fileKey(digest), upload)
    .abort()
    .catch(() => undefined)

/** Deletes all objects under a prefix. */
export async function removeObjects(files: R2Bucket, prefix: string): Promise<void> {
  let hasMore = true
  while (hasMore) {
    const { objects, truncated } = await files.list({ prefix })
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key))
    hasMore = truncated
  }
}
