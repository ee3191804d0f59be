import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { resumeVideo } from './ingest.ts'
import { takeProcessing } from './items.ts'
import { removeExpiredUploads } from './pending-uploads.ts'
import { schema } from './schema.ts'

/** Removes from R2 what has no item, such as uploads that were never ended. */
export const sweepPendingUploads = (env: Env): Promise<void> => removeExpiredUploads(env, open(env, schema))

const minute = 60_000

/** Sees to it that every video that is not ready has its job. */
export async function sweepVideos(env: Env): Promise<void> {
  const waiting = await takeProcessing(open(env, schema), new Date(Date.now() - minute))
  for (const item of waiting) await resumeVideo(env, item)
}
