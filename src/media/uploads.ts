import { open } from '#core/db/open'
import { Failure } from '#core/failure'
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

/** Stores the file of a form as an item. Of one that is refused nothing is kept. */
export async function receiveForm(env: Env, request: Request, kind: ItemKind): Promise<Item> {
  return withPendingUpload(env, async (digest) => {
    const { taken, fields } = await readForm(request, async ({ filename, said, bytes }, { scope }) => {
      const most = scope === undefined ? maxUploadBytes(env, kind) : limitsFor(env, kind, scope).maxSize
      const onUpload = (id: string) => recordMultipartUpload(open(env, schema), digest, id)
      return { filename, said, ...(await uploadStream(env.FILES, fileKey(digest), bytes, most, onUpload)) }
    })
    return ingest(env, { ...taken, digest, kind, scope: fields.scope })
  })
}

const minute = 60_000

/** The same for a video, perhaps not before it is ready, or a minute is over. */
export async function receiveVideo(env: Env, request: Request, wait: boolean): Promise<Video> {
  const item = await receiveForm(env, request, 'video')
  // It is stored: where nobody says how far it is, its digest is told all the same.
  if (wait)
    await env.VIDEO_JOB.getByName(item.digest)
      .wait(minute)
      .catch(() => undefined)
  return readVideo(env, item.digest).catch((error) => {
    if (Failure.is(error)) throw error
    return { item, progress: 0 }
  })
}

/** Runs what makes an item of a new digest. Where it fails nothing of it stays; after a crash the sweep sees to that. */
export async function withPendingUpload<T>(env: Env, make: (digest: string) => Promise<T>): Promise<T> {
  const store = open(env, schema)
  const digest = newDigest(digestPrefixOf(env))
  await addPendingUpload(store, digest)
  try {
    return await make(digest)
  } catch (error) {
    // Its own failure would hide what went wrong, and the trace is left.
    await discardUpload(env, store, digest).catch(() => undefined)
    throw error
  }
}
