import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { containerOf, requireContainer, unavailable } from './container.ts'
import { jobClient, type NewJob } from './container-jobs.ts'
import type { ContainerJob, TranscodedVideo } from './contract/container.ts'
import type { StorageEnv } from './env.ts'
import { endProcessing, firstRun, seekItem, type VideoFailure, type VideoOutcome } from './items.ts'
import { removeObjects } from './pending-uploads.ts'
import { fileKey, prefixOf, previewKey, videoKey } from './r2-keys.ts'
import { schema } from './schema.ts'
import { partBytes } from './stream-upload.ts'

/** What is known of a video's transcoding between two steps. */
export interface Work extends NewJob {
  digest: string
  /** Number of the run; none in what an earlier version stored, which knew only one. */
  run?: number
  /** Milliseconds since 1970. */
  started: number
  /** Runs that the container lost, or could not end. */
  attempts: number
  progress: number
  /** The container was seen at work on it. */
  isRunning: boolean
  /** The mp4, on its way to R2. */
  upload?: { id: string; parts: R2UploadedPart[] } | undefined
}

export const runOf = ({ run }: Pick<Work, 'run'>): number => run ?? firstRun

/** False where the work has been given up meanwhile, and nothing is kept of it. */
type Save = (change: Partial<Work>) => boolean

/** Whether a step changed something, found nothing to do yet, or was the last. */
export type TranscodingStep = 'moved' | 'waiting' | 'ended'

type Jobs = ReturnType<typeof jobClient>

/** What is sent to the container at a time. */
const sentSize = 2 * partBytes

const maxAttempts = 4

/**
 * Takes a transcoding one step further, from whatever state the container is in: it may have forgotten the job, or be ahead
 * of what is known here. What is needed again is saved before a step ends. Throws where the container is down or full.
 */
export async function advance(env: StorageEnv, work: Work, save: Save): Promise<TranscodingStep> {
  const jobs = jobClient(requireContainer(env))
  const job = await jobs.find(work.digest)
  if (!job) return begin(env, jobs, work, save)
  switch (job.state) {
    case 'receiving':
      return send(env, jobs, work, job, save)
    case 'running':
      save({ progress: job.progress, isRunning: true })
      return 'waiting'
    case 'ready':
      return fetchResult(env, jobs, work, job.result!, save)
    case 'failed':
      return handleFailure(env, jobs, work, job, save)
  }
}

async function begin(env: StorageEnv, jobs: Jobs, work: Work, save: Save): Promise<TranscodingStep> {
  const item = await seekItem(open(env, schema), work.digest)
  if (item?.state !== 'processing' || item.run !== runOf(work)) return end(env, jobs, work)
  if (work.isRunning && !countAttempt(work, save)) return fail(env, jobs, work, 'killed')
  // The parts are of a run that is lost: the next one's mp4 may have other bytes.
  await abortUpload(env, work)
  save({ upload: undefined })
  const { size, is_streamable, may_copy, max_dimension, duration } = work
  try {
    await jobs.begin(work.digest, { size, is_streamable, may_copy, max_dimension, ...(duration && { duration }) })
  } catch (error) {
    if (Failure.is(error) && error.status === 413) return fail(env, jobs, work, 'too_large')
    throw error
  }
  // Given up meanwhile, when there was nothing in the container yet.
  if (!save({})) await giveUp(env, work)
  return 'moved'
}

/** Counts a run without an end; false where it was one too many. */
function countAttempt({ attempts }: Work, save: Save): boolean {
  save({ attempts: attempts + 1, isRunning: false, progress: 0 })
  return attempts + 1 < maxAttempts
}

async function send(
  env: StorageEnv,
  jobs: Jobs,
  work: Work,
  { offset }: ContainerJob,
  save: Save,
): Promise<TranscodingStep> {
  const { digest, size, is_streamable } = work
  const length = Math.min(sentSize, size - offset)
  if (length <= 0) return 'waiting'
  const source = await env.FILES.get(fileKey(digest), { range: { offset, length } })
  // Lost, or deleted with its item.
  if (!source) return fail(env, jobs, work, 'unreadable')
  // A stream is decoded while it is sent.
  if (is_streamable) save({ isRunning: true })
  const job = await jobs.send(digest, offset, source.body)
  if (job) save({ progress: job.progress })
  return job?.offset === offset ? 'waiting' : 'moved'
}

async function handleFailure(
  env: StorageEnv,
  jobs: Jobs,
  work: Work,
  { failure }: ContainerJob,
  save: Save,
): Promise<TranscodingStep> {
  if (failure === 'unreadable' || failure === 'too_long' || failure === 'too_large')
    return fail(env, jobs, work, failure)
  const isLost = failure === 'killed' || failure === 'out_of_memory'
  if (isLost && !countAttempt(work, save)) return fail(env, jobs, work, failure)
  if (failure === 'stream') save({ is_streamable: false })
  save({ isRunning: false, progress: 0 })
  await jobs.end(work.digest)
  if (failure === 'out_of_disk') throw unavailable()
  return 'moved'
}

async function fetchResult(
  env: StorageEnv,
  jobs: Jobs,
  work: Work,
  result: TranscodedVideo,
  save: Save,
): Promise<TranscodingStep> {
  const { FILES } = env
  const { digest } = work
  const stored = await FILES.head(videoKey(digest))
  if (stored?.size !== result.size && !(await fetchPart(FILES, jobs, work, result, save))) return 'moved'
  await FILES.put(previewKey(digest), await jobs.fetchPreview(digest), { httpMetadata: { contentType: 'image/jpeg' } })
  const { size, width, height, duration } = result
  return conclude(env, jobs, work, { state: 'ready', size, width, height, duration })
}

/** Fetches the next part of the mp4; true when that was the last and it lies in R2. */
async function fetchPart(files: R2Bucket, jobs: Jobs, { digest, upload }: Work, { size }: TranscodedVideo, save: Save) {
  const key = videoKey(digest)
  if (size <= partBytes) {
    await files.put(key, await jobs.fetchPart(digest, 0, size))
    return true
  }
  const { id, parts } = upload ?? { id: (await files.createMultipartUpload(key)).uploadId, parts: [] }
  if (!upload && !save({ upload: { id, parts } })) {
    await abort(files, digest, id)
    return false
  }
  const under = files.resumeMultipartUpload(key, id)
  const offset = parts.length * partBytes
  const length = Math.min(partBytes, size - offset)
  if (length > 0) {
    const part = await under.uploadPart(parts.length + 1, await jobs.fetchPart(digest, offset, length))
    save({ upload: { id, parts: [...parts, part] } })
    return false
  }
  await under.complete(parts)
  return true
}

const fail = (env: StorageEnv, jobs: Jobs, work: Work, failure: VideoFailure): Promise<TranscodingStep> =>
  conclude(env, jobs, work, { state: 'failed', failure })

async function conclude(env: StorageEnv, jobs: Jobs, work: Work, outcome: VideoOutcome): Promise<TranscodingStep> {
  const store = open(env, schema)
  const isWritten = await endProcessing(store, work.digest, outcome, runOf(work))
  // Deleted meanwhile: what was fetched since then has no item.
  if (!isWritten && !(await seekItem(store, work.digest))) await removeObjects(env.FILES, prefixOf(work.digest))
  return end(env, jobs, work)
}

/**
 * Removes what is not needed any more: the container's files, an unfinished upload of the mp4, and the source, unless the
 * video has failed and may be retried. The source and the container's job are a later run's once there is one.
 */
async function end(env: StorageEnv, jobs: Jobs, work: Work): Promise<TranscodingStep> {
  const item = await seekItem(open(env, schema), work.digest)
  if (item && item.run !== runOf(work)) {
    await abortUpload(env, work)
    return 'ended'
  }
  if (item?.state !== 'ready') await abortUpload(env, work)
  // A failed video may be retried already, by the time that this runs.
  if (!item || item.state === 'ready') await env.FILES.delete(fileKey(work.digest))
  await jobs.end(work.digest)
  return 'ended'
}

/** Ends what is under way elsewhere for work that has been given up. */
export async function giveUp(env: StorageEnv, work: Work): Promise<void> {
  await abortUpload(env, work)
  const container = containerOf(env)
  // Else the container forgets it by itself, as nobody asks for it any more.
  if (container)
    await jobClient(container)
      .end(work.digest)
      .catch(() => undefined)
}

async function abortUpload({ FILES }: StorageEnv, { digest, upload }: Work): Promise<void> {
  if (upload) await abort(FILES, digest, upload.id)
}

const abort = (files: R2Bucket, digest: string, id: string) =>
  files
    .resumeMultipartUpload(videoKey(digest), id)
    .abort()
    .catch(() => undefined)
