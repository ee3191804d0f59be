// The media component's work of every minute: deletes objects in R2 that have no item, and restarts videos after a crash.
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { resumeVideo } from './ingest.ts'
import { takeProcessing } from './items.ts'
import { removeExpiredUploads } from './pending-uploads.ts'
import { schema } from './schema.ts'

/** Deletes objects in R2 that have no item, such as those of unfinished uploads, once their pending uploads are due. */
export const sweepPendingUploads = (env: Env): Promise<void> => removeExpiredUploads(env, open(env, schema))

const idleAfterMs = 60_000

/** Restarts the jobs of videos that a crash has stopped: videos in state `processing` whose row has not changed for a while. */
export async function sweepVideos(env: Env): Promise<void> {
  const videos = await takeProcessing(open(env, schema), new Date(Date.now() - idleAfterMs))
  for (const item of videos) await resumeVideo(env, item)
}
