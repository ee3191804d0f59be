// Receives uploads by form (multipart/form-data) and creates their items. tus.ts handles resumable uploads.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import type { Env } from './bindings.ts'
import type { ItemKind } from './contract/uploads.ts'
import { newDigest } from './digest.ts'
import { digestPrefixOf } from './env.ts'
import { ingest } from './ingest.ts'
import { readVideo, type Video } from './item-access.ts'
import type { Item } from './items.ts'
import { limitsFor, maxUploadBytes } from './limits.ts'
import { readForm } from './multipart-form.ts'
import { addPendingUpload, discardUpload, recordMultipartUpload } from './pending-uploads.ts'
import { fileKey } from './r2-keys.ts'
import { schema } from './schema.ts'
import { uploadStream } from './stream-upload.ts'

/** Stores the file of a form as an item. A rejected upload leaves nothing in R2 or in the database. */
export async function receiveForm(
  env: Env,
  request: Request,
  kind: ItemKind,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<Item> {
  return withPendingUpload(env, async (digest) => {
    const { taken, fields } = await readForm(request, async ({ filename, declaredType, bytes }, { scope }) => {
      const maxSize = scope === undefined ? maxUploadBytes(env, kind) : limitsFor(env, kind, scope).maxSize
      const onUpload = (id: string) => recordMultipartUpload(open(env, schema), digest, id)
      const stored = await uploadStream(env.FILES, fileKey(digest), bytes, maxSize, onUpload)
      return { filename, declaredType, ...stored }
    })
    return ingest(env, { ...taken, digest, kind, scope: fields.scope }, markPointOfNoReturn)
  })
}

const maxWaitMs = 60_000

/** Stores the video of a form. With `wait`, resolves when the video is ready or failed, after a minute at the latest. */
export async function receiveVideo(
  env: Env,
  request: Request,
  wait: boolean,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<Video> {
  const item = await receiveForm(env, request, 'video', markPointOfNoReturn)
  // The video is stored, so the upload has succeeded. If its progress cannot be read, the reply has the state from before.
  if (wait)
    await env.VIDEO_JOB.getByName(item.digest)
      .wait(maxWaitMs)
      .catch(() => undefined)
  return readVideo(env, item.digest).catch((error) => {
    if (Failure.is(error)) throw error
    return { item, progress: 0 }
  })
}

/**
 * Creates an item with a new digest. If that fails, everything that was stored under the digest is deleted; after a crash, the
 * sweep deletes it.
 */
export async function withPendingUpload<T>(env: Env, create: (digest: string) => Promise<T>): Promise<T> {
  const store = open(env, schema)
  const digest = newDigest(digestPrefixOf(env))
  await addPendingUpload(store, digest)
  try {
    return await create(digest)
  } catch (error) {
    // An error of the cleanup is ignored: it would hide the error of the upload, and the sweep repeats the cleanup.
    await discardUpload(env, store, digest).catch(() => undefined)
    throw error
  }
}
