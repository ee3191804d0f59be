// The steps of transcoding a video. VideoJob calls `advance` until it returns `ended`; each step reads the state of the job in the
// container and does what that state needs:
//
//   none ------> create the job; fail after four runs that the container lost
//   receiving -> send the next part of the source
//   running ---> store the progress
//   ready -----> copy the mp4 and its preview to R2, mark the video as ready, delete the source
//   failed ----> start another run, or mark the video as failed
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

/** State of a video's transcoding between two steps, as stored in VideoJob. */
export interface Work extends NewJob {
  digest: string
  /** Number of the run. Missing in a state that an earlier release stored, when each video had a single run. */
  run?: number
  /** Time when the run started, in milliseconds since 1970. The polling interval depends on it. */
  started: number
  /** Number of runs that the container lost or could not finish. After `maxAttempts` of these, the video is failed. */
  attempts: number
  progress: number
  /** Whether the container has started to transcode. Only then does a lost job count as an attempt. */
  isRunning: boolean
  /** The multipart upload with which the mp4 is copied to R2: its id and the parts that are stored. */
  upload?: { id: string; parts: R2UploadedPart[] } | undefined
}

export const runOf = ({ run }: Pick<Work, 'run'>): number => run ?? firstRun

/** Stores a change of the state. Returns false and stores nothing if the job was cancelled in the meantime. */
type Save = (change: Partial<Work>) => boolean

/** The result of a step: something changed, there was nothing to do yet, or the job ended. */
export type TranscodingStep = 'moved' | 'waiting' | 'ended'

type JobClient = ReturnType<typeof jobClient>

/** Maximum size in bytes of the part of the source that is sent to the container in one request. */
const sourceChunkBytes = 2 * partBytes

const maxAttempts = 4

/**
 * Runs the next step of a transcoding. The state in the container decides which one: after a crash, the container may have lost the
 * job, or be ahead of the stored state. Each step stores the state from which the next one resumes. Throws 503 if the container is
 * down or full.
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

async function begin(env: StorageEnv, jobs: JobClient, work: Work, save: Save): Promise<TranscodingStep> {
  const item = await seekItem(open(env, schema), work.digest)
  if (item?.state !== 'processing' || item.run !== runOf(work)) return end(env, jobs, work)
  if (work.isRunning && !countAttempt(work, save)) return fail(env, jobs, work, 'killed')
  // The parts that are in R2 already are from a lost run. The mp4 of the next run may differ, so its parts must not be mixed with
  // them.
  await abortUpload(env, work)
  save({ upload: undefined })
  const { size, is_streamable, may_copy, max_dimension, duration } = work
  try {
    await jobs.begin(work.digest, { size, is_streamable, may_copy, max_dimension, ...(duration && { duration }) })
  } catch (error) {
    if (Failure.is(error) && error.status === 413) return fail(env, jobs, work, 'too_large')
    throw error
  }
  // The job was cancelled while the container created it. The cancellation found no job there, so the job is deleted now.
  if (!save({})) await cancelRun(env, work)
  return 'moved'
}

/**
 * Counts a run that the container lost. Returns false if no more runs are allowed: a video that kills the container each time must
 * not be tried forever.
 */
function countAttempt({ attempts }: Work, save: Save): boolean {
  save({ attempts: attempts + 1, isRunning: false, progress: 0 })
  return attempts + 1 < maxAttempts
}

async function send(
  env: StorageEnv,
  jobs: JobClient,
  work: Work,
  { offset }: ContainerJob,
  save: Save,
): Promise<TranscodingStep> {
  const { digest, size, is_streamable } = work
  const length = Math.min(sourceChunkBytes, size - offset)
  if (length <= 0) return 'waiting'
  const source = await env.FILES.get(fileKey(digest), { range: { offset, length } })
  // The source is missing: it was lost, or deleted with its item.
  if (!source) return fail(env, jobs, work, 'unreadable')
  // ffmpeg starts to transcode a streamable source while the first bytes arrive, so a lost job counts as an attempt from here.
  if (is_streamable) save({ isRunning: true })
  const job = await jobs.send(digest, offset, source.body)
  if (job) save({ progress: job.progress })
  return job?.offset === offset ? 'waiting' : 'moved'
}

async function handleFailure(
  env: StorageEnv,
  jobs: JobClient,
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
  jobs: JobClient,
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

/** Copies the next part of the mp4 from the container to R2. Returns true when the mp4 is complete. */
async function fetchPart(
  files: R2Bucket,
  jobs: JobClient,
  { digest, upload }: Work,
  { size }: TranscodedVideo,
  save: Save,
) {
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
  const multipart = files.resumeMultipartUpload(key, id)
  const offset = parts.length * partBytes
  const length = Math.min(partBytes, size - offset)
  if (length > 0) {
    const part = await multipart.uploadPart(parts.length + 1, await jobs.fetchPart(digest, offset, length))
    save({ upload: { id, parts: [...parts, part] } })
    return false
  }
  await multipart.complete(parts)
  return true
}

const fail = (env: StorageEnv, jobs: JobClient, work: Work, failure: VideoFailure): Promise<TranscodingStep> =>
  conclude(env, jobs, work, { state: 'failed', failure })

async function conclude(env: StorageEnv, jobs: JobClient, work: Work, outcome: VideoOutcome): Promise<TranscodingStep> {
  const store = open(env, schema)
  const isWritten = await endProcessing(store, work.digest, outcome, runOf(work))
  // The video was deleted during the run. The objects that this run has copied to R2 have no item, so they are removed.
  if (!isWritten && !(await seekItem(store, work.digest))) await removeObjects(env.FILES, prefixOf(work.digest))
  return end(env, jobs, work)
}

/**
 * Cleans up after a run: deletes the job in the container, an unfinished upload of the mp4, and the source, unless the video failed
 * and may be retried. If a later run exists, the source and the container's job belong to that run and stay.
 */
async function end(env: StorageEnv, jobs: JobClient, work: Work): Promise<TranscodingStep> {
  const item = await seekItem(open(env, schema), work.digest)
  if (item && item.run !== runOf(work)) {
    await abortUpload(env, work)
    return 'ended'
  }
  if (item?.state !== 'ready') await abortUpload(env, work)
  // The source of a failed video stays for a retry, which may have started already.
  if (!item || item.state === 'ready') await env.FILES.delete(fileKey(work.digest))
  await jobs.end(work.digest)
  return 'ended'
}

/** Cancels a run: aborts the upload of the mp4 and deletes the job in the container. */
export async function cancelRun(env: StorageEnv, work: Work): Promise<void> {
  await abortUpload(env, work)
  const container = containerOf(env)
  // A failure is ignored: the container deletes an idle job after half an hour.
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
