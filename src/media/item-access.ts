import { open } from '#core/db/open'
import type { ItemKind } from './contract/uploads.ts'
import type { StorageEnv } from './env.ts'
import { deleteItem, findItem, type Item } from './items.ts'
import type { Renditions } from './renditions.ts'
import { schema } from './schema.ts'
import type { VideoJob } from './video-job.ts'

/** What reads, changes and removes items needs bound. */
export interface ItemsEnv extends StorageEnv {
  RENDITIONS: DurableObjectNamespace<Renditions>
  VIDEO_JOB: DurableObjectNamespace<VideoJob>
}

/** An item; 404 where there is none of that kind. */
export const readItem = (env: ItemsEnv, digest: string, kind?: ItemKind): Promise<Item> =>
  findItem(open(env, schema), digest, kind)

export interface Video {
  item: Item
  /** From 0 to 1. */
  progress: number
}

/** A video, and how far its transcoding is. */
export async function readVideo(env: ItemsEnv, digest: string): Promise<Video> {
  const item = await readItem(env, digest, 'video')
  if (item.state !== 'processing') return { item, progress: item.state === 'ready' ? 1 : 0 }
  return { item, progress: await env.VIDEO_JOB.getByName(digest).progress() }
}

/**
 * Deletes an item and all that was made of it. The row goes last: where this fails on the way, it is done by its repeat. What is
 * still at work on it then finds no source, and what that leaves in R2 is removed by the sweep.
 */
export async function removeItem(env: ItemsEnv, digest: string, kind: ItemKind): Promise<void> {
  await readItem(env, digest, kind)
  if (kind === 'video') await env.VIDEO_JOB.getByName(digest).cancel()
  await env.RENDITIONS.getByName(digest).remove(digest)
  await deleteItem(open(env, schema), digest, kind)
}
