import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { probeAudio } from './audio-probe.ts'
import { requireContainer } from './container.ts'
import type { NewJob } from './container-jobs.ts'
import type { ItemKind } from './contract/uploads.ts'
import { brokenImage, type Header } from './engines/engine.ts'
import { engineFor } from './engines/engine-choice.ts'
import { numberIn } from './env.ts'
import { failure } from './errors.ts'
import { readHeader } from './image-header.ts'
import { imageMediaTypes, storedImage } from './image-sources.ts'
import type { ItemsEnv } from './item-access.ts'
import { readVideo, type Video as StoredVideo } from './item-access.ts'
import { abortProcessing, addItem, findItem, firstRun, type Item, type NewItem, restartProcessing } from './items.ts'
import { limitsFor, tooLarge } from './limits.ts'
import { headSize, sniffType, splitName } from './mime-sniffer.ts'
import { fileKey } from './r2-keys.ts'
import { openBytes, openR2File, type RandomAccessFile } from './random-access.ts'
import { displayed } from './render-plan.ts'
import { schema } from './schema.ts'
import { type ProbedVideo, probeVideo } from './video-probe.ts'

/** What was stored under a digest's `fileKey`, before it is known to be what it should be. */
export interface StoredUpload {
  digest: string
  kind: ItemKind
  scope: string | undefined
  filename: string
  /** The media type that the client gave it. */
  said: string
  size: number
  /** Its bytes, where they are still at hand. */
  whole?: Uint8Array<ArrayBuffer>
}

/** Makes an item of what was stored: 413 past the limits of its scope, 415 for another kind of file, 400 for a broken one. */
export async function ingest(env: ItemsEnv, candidate: StoredUpload): Promise<Item> {
  const { digest, kind, scope, size, whole, filename } = candidate
  const { maxSize, maxDimension = null } = limitsFor(env, kind, scope)
  if (size > maxSize) throw tooLarge(maxSize)
  const file = whole ? openBytes(whole) : openR2File(env.FILES, fileKey(digest), size)
  const blank: NewItem = {
    ...{ digest, kind, ...splitName(filename), mimetype: '', size, max_dimension: maxDimension },
    ...{ charset: null, width: null, height: null, orientation: null, duration: null, state: 'ready', failure: null },
  }
  return admitters[kind](env, blank, file, candidate)
}

type Admit = (env: ItemsEnv, blank: NewItem, file: RandomAccessFile, candidate: StoredUpload) => Promise<Item>

const admitters: Record<ItemKind, Admit> = { file: admitFile, image: admitImage, audio: admitAudio, video: admitVideo }

async function admitFile(
  env: ItemsEnv,
  blank: NewItem,
  file: RandomAccessFile,
  { filename, said }: StoredUpload,
): Promise<Item> {
  const kind = await sniffType(await file.read(0, headSize), filename, said)
  return addItem(open(env, schema), { ...blank, ...kind })
}

/** How much of an image may come before its size: profiles and previews do. */
const headSizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024]

async function admitImage(
  env: ItemsEnv,
  blank: NewItem,
  file: RandomAccessFile,
  { whole }: StoredUpload,
): Promise<Item> {
  if (blank.size === 0) throw brokenImage()
  const header = await headerIn(file)
  if (!header) throw other('a JPEG, PNG, WebP or GIF image')
  const mimetype = imageMediaTypes[header.format]
  const { orientation } = header
  const item = { ...blank, ...displayed(header), orientation, mimetype, extension: blank.extension || header.format }
  const stored = storedImage(env.FILES, { ...item, run: firstRun, created_at: new Date(), updated_at: new Date() })
  const source = whole ? { ...stored, bytes: async () => whole } : stored
  await engineFor(env, header, source.size, header.format).check(source)
  return addItem(open(env, schema), item)
}

async function headerIn(file: RandomAccessFile): Promise<Header | undefined> {
  for (const size of headSizes) {
    const header = readHeader(await file.read(0, size))
    if (header !== 'more') return header
    if (size >= file.size) break
  }
  throw brokenImage()
}

async function admitAudio(env: ItemsEnv, blank: NewItem, file: RandomAccessFile): Promise<Item> {
  const audio = await probeAudio(file)
  if (!audio) throw other('audio')
  const { mimetype, duration } = audio
  return addItem(open(env, schema), { ...blank, mimetype, duration, extension: blank.extension || audio.extension })
}

/** The largest side of a video, unless configured or given by its scope. */
const defaultMaxDimension = 1280

async function admitVideo(env: ItemsEnv, blank: NewItem, file: RandomAccessFile): Promise<Item> {
  // One that is down is waited for; where there is none nothing would ever come of it.
  requireContainer(env)
  const video = await probeVideo(file)
  if (!video) throw other('a video')
  const { width = null, height = null, duration = null } = video
  // Before there is an item: a limit that is configured wrong refuses the upload.
  const job = jobOf(env, blank, video)
  const item = await addItem(open(env, schema), {
    ...{ ...blank, width, height, duration },
    ...{ extension: 'mp4', mimetype: 'video/mp4', state: 'processing' },
  })
  // The item is there: where this fails, or is cut off, the sweep begins the job.
  await env.VIDEO_JOB.getByName(item.digest)
    .start(item.digest, job, item.run)
    .catch(() => undefined)
  return item
}

const jobOf = (
  env: ItemsEnv,
  { size, max_dimension }: NewItem,
  { is_streamable, may_copy, duration }: ProbedVideo,
): NewJob => ({
  size,
  is_streamable,
  may_copy,
  max_dimension: max_dimension ?? numberIn(env, 'UPLOAD_VIDEO_MAX_DIMENSION', defaultMaxDimension),
  ...(duration !== undefined && { duration }),
})

/** Sees to it that a video which is not ready has its job, whatever a crash has cut off; one whose source is lost has failed. */
export async function resumeVideo(env: ItemsEnv, item: Item): Promise<void> {
  const job = env.VIDEO_JOB.getByName(item.digest)
  if (await job.resume(item.run)) return
  const video = await probeVideo(openR2File(env.FILES, fileKey(item.digest), item.size)).catch(orNothing)
  if (video) await job.start(item.digest, jobOf(env, item, video), item.run)
  else await abortProcessing(open(env, schema), item)
}

/**
 * Transcodes a failed video again from its source. The row changes first, so that of two retries one begins, and after a crash
 * the sweep begins the job.
 */
export async function retryVideo(env: ItemsEnv, digest: string): Promise<StoredVideo> {
  const store = open(env, schema)
  const item = await findItem(store, digest, 'video')
  if (item.state !== 'failed') throw notFailed(item.state)
  if (!(await env.FILES.head(fileKey(digest)))) throw failure('source_deleted')
  requireContainer(env)
  const restarted = await restartProcessing(store, digest)
  if (!restarted) throw notFailed('processing')
  // The failed job may still have something to remove.
  await env.VIDEO_JOB.getByName(digest).cancel()
  await resumeVideo(env, restarted)
  return readVideo(env, digest)
}

const notFailed = (state: Item['state']) =>
  failure('video_not_failed', `The state of the video must be failed, got ${state}.`)

/** What is refused now would be so at every repeat. */
function orNothing(error: unknown): undefined {
  if (!Failure.is(error)) throw error
}

const other = (kind: string) => failure('unsupported_media_type', `file must be ${kind}.`)
