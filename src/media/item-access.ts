// Reads items with the progress of a video, and deletes items with their objects in R2. items.ts handles only the rows of the
// table.
import { open } from '#core/db/open'
import type { ItemKind } from './contract/uploads.ts'
import type { StorageEnv } from './env.ts'
import { deleteItem, findItem, type Item } from './items.ts'
import type { Renditions } from './renditions.ts'
import { schema } from './schema.ts'
import type { VideoJob } from './video-job.ts'

/** Bindings for reading, changing and deleting items. */
export interface ItemsEnv extends StorageEnv {
  RENDITIONS: DurableObjectNamespace<Renditions>
  VIDEO_JOB: DurableObjectNamespace<VideoJob>
}

/** Reads an item. Throws 404 if no item of that kind has the digest. */
export const readItem = (env: ItemsEnv, digest: string, kind?: ItemKind): Promise<Item> =>
  findItem(open(env, schema), digest, kind)

export interface Video {
  item: Item
  /** Transcoding progress from 0 to 1. */
  progress: number
}

/** Reads a video and the progress of its transcoding. */
export async function readVideo(env: ItemsEnv, digest: string): Promise<Video> {
  const item = await readItem(env, digest, 'video')
  if (item.state !== 'processing') return { item, progress: item.state === 'ready' ? 1 : 0 }
  return { item, progress: await env.VIDEO_JOB.getByName(digest).progress() }
}

/**
 * Deletes an item with its objects in R2. The row is deleted last: if a step before it fails, the item still exists, and the client
 * can repeat the deletion. A request or job that still uses the item then fails, and the sweep removes the objects that it wrote.
 */
export async function removeItem(env: ItemsEnv, digest: string, kind: ItemKind): Promise<void> {
  await readItem(env, digest, kind)
  if (kind === 'video') await env.VIDEO_JOB.getByName(digest).cancel()
  await env.RENDITIONS.getByName(digest).remove(digest)
  await deleteItem(open(env, schema), digest, kind)
}
