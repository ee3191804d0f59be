// Turns an uploaded file into an item of the requested kind, after checking that the content is of that kind.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { type MarkPointOfNoReturn, noPointOfNoReturn } from '#core/http/idempotency'
import { probeAudio } from './audio-probe.ts'
import { requireContainer } from './container.ts'
import type { NewJob } from './container-jobs.ts'
import type { ItemKind } from './contract/uploads.ts'
import { brokenImage, type Header } from './engines/engine.ts'
import { engineFor } from './engines/engine-choice.ts'
import { positiveVariable } from './env.ts'
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

/** A file that is stored in R2 under `fileKey` of its digest, and whose content is not checked yet. */
export interface StoredUpload {
  digest: string
  kind: ItemKind
  scope: string | undefined
  filename: string
  /** Media type that the client sent. Only the choice between text types depends on it. */
  declaredType: string
  size: number
  /** The content, if it is still in memory, which saves a read from R2. */
  bytes?: Uint8Array<ArrayBuffer>
}

/**
 * Creates the item of a stored upload. Throws 413 if the file exceeds the limits of its scope, 415 if it is of another kind, 400 if
 * it is broken. The caller then deletes the file.
 */
export async function ingest(
  env: ItemsEnv,
  upload: StoredUpload,
  markPointOfNoReturn: MarkPointOfNoReturn = noPointOfNoReturn,
): Promise<Item> {
  const { digest, kind, scope, size, bytes, filename } = upload
  const { maxSize, maxDimension = null } = limitsFor(env, kind, scope)
  if (size > maxSize) throw tooLarge(maxSize)
  const file = bytes ? openBytes(bytes) : openR2File(env.FILES, fileKey(digest), size)
  const blank: NewItem = {
    ...{ digest, kind, ...splitName(filename), mimetype: '', size, max_dimension: maxDimension },
    ...{ charset: null, width: null, height: null, orientation: null, duration: null, state: 'ready', failure: null },
  }
  const add = async (item: NewItem) => {
    await markPointOfNoReturn()
    return addItem(open(env, schema), item)
  }
  return ingesters[kind]({ env, upload, file, blank, add })
}

interface Ingestion {
  env: ItemsEnv
  upload: StoredUpload
  file: RandomAccessFile
  /** The item without the columns that depend on the content, which each kind adds. */
  blank: NewItem
  add: (item: NewItem) => Promise<Item>
}

type Ingest = (ingestion: Ingestion) => Promise<Item>

const ingesters: Record<ItemKind, Ingest> = {
  file: ingestFile,
  image: ingestImage,
  audio: ingestAudio,
  video: ingestVideo,
}

async function ingestFile({ upload: { filename, declaredType }, file, blank, add }: Ingestion): Promise<Item> {
  const kind = await sniffType(await file.read(0, headSize), filename, declaredType)
  return add({ ...blank, ...kind })
}

/**
 * Numbers of bytes to read, one after another, until the size of the image is found. Colour profiles and embedded previews may
 * precede the size, and most images need only the first number.
 */
const headSizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024]

async function ingestImage({ env, upload: { bytes }, file, blank, add }: Ingestion): Promise<Item> {
  if (blank.size === 0) throw brokenImage()
  const header = await headerIn(file)
  if (!header) throw wrongKind('a JPEG, PNG, WebP or GIF image')
  const mimetype = imageMediaTypes[header.format]
  const { orientation } = header
  const item = { ...blank, ...displayed(header), orientation, mimetype, extension: blank.extension || header.format }
  const stored = storedImage(env.FILES, { ...item, run: firstRun, created_at: new Date(), updated_at: new Date() })
  const source = bytes ? { ...stored, bytes: async () => bytes } : stored
  await engineFor(env, header, source.size, header.format).check(source)
  return add(item)
}

async function headerIn(file: RandomAccessFile): Promise<Header | undefined> {
  for (const size of headSizes) {
    const header = readHeader(await file.read(0, size))
    if (header !== 'more') return header
    if (size >= file.size) break
  }
  throw brokenImage()
}

async function ingestAudio({ file, blank, add }: Ingestion): Promise<Item> {
  const audio = await probeAudio(file)
  if (!audio) throw wrongKind('audio')
  const { mimetype, duration } = audio
  return add({ ...blank, mimetype, duration, extension: blank.extension || audio.extension })
}

/** Default of UPLOAD_VIDEO_MAX_DIMENSION: maximum length of the longer side, in pixels. */
const defaultMaxDimension = 1280

async function ingestVideo({ env, file, blank, add }: Ingestion): Promise<Item> {
  // If the container is down, a video stays `processing` until it is up again. If no container is configured, that would never end,
  // so the upload is rejected with 503.
  requireContainer(env)
  const video = await probeVideo(file)
  if (!video) throw wrongKind('a video')
  const { width = null, height = null, duration = null } = video
  // Created before the item is added: an invalid limit in the configuration throws here, and the upload is rejected instead of a
  // video without a job.
  const job = jobOf(env, blank, video)
  const item = await add({
    ...{ ...blank, width, height, duration },
    ...{ extension: 'mp4', mimetype: 'video/mp4', state: 'processing' },
  })
  // The item exists, so the upload has succeeded. If the job does not start now, the sweep starts it later.
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
  max_dimension: max_dimension ?? positiveVariable(env, 'UPLOAD_VIDEO_MAX_DIMENSION', defaultMaxDimension),
  ...(duration !== undefined && { duration }),
})

/** Restarts the job of a video in state `processing` if a crash lost the job. A video whose source is lost becomes `failed`. */
export async function resumeVideo(env: ItemsEnv, item: Item): Promise<void> {
  const job = env.VIDEO_JOB.getByName(item.digest)
  if (await job.resume(item.run)) return
  const video = await probeVideo(openR2File(env.FILES, fileKey(item.digest), item.size)).catch(undefinedIfRejected)
  if (video) await job.start(item.digest, jobOf(env, item, video), item.run)
  else await abortProcessing(open(env, schema), item)
}

/**
 * Transcodes a failed video again from its source. The row changes first: of two concurrent retries only one changes the row and
 * starts a run, and after a crash the sweep finds the row and starts the job.
 */
export async function retryVideo(
  env: ItemsEnv,
  digest: string,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<StoredVideo> {
  const store = open(env, schema)
  const item = await findItem(store, digest, 'video')
  if (item.state !== 'failed') throw notFailed(item.state)
  if (!(await env.FILES.head(fileKey(digest)))) throw failure('source_deleted')
  requireContainer(env)
  await markPointOfNoReturn()
  const restarted = await restartProcessing(store, digest)
  if (!restarted) throw notFailed('processing')
  // The failed job may still be cleaning up. It is cancelled first, so that its cleanup does not affect the new run.
  await env.VIDEO_JOB.getByName(digest).cancel()
  await resumeVideo(env, restarted)
  return readVideo(env, digest)
}

const notFailed = (state: Item['state']) =>
  failure('video_not_failed', `The state of the video must be failed, got ${state}.`)

/**
 * Ignores the rejection of a source: another attempt would give the same result. Any other error is thrown, since it may be
 * temporary.
 */
function undefinedIfRejected(error: unknown): undefined {
  if (!Failure.is(error)) throw error
}

const wrongKind = (kind: string) => failure('unsupported_media_type', `file must be ${kind}.`)
