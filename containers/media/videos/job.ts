// A transcoding job. Its states:
//
//   receiving --all bytes are here--> running --mp4 and preview written--> ready
//       |                                |
//       +------------- error ------------+--> failed
//
// The source of a streamable video goes to ffmpeg while it arrives. Any other source is stored in a file first. ffprobe and ffmpeg both
// read the source, one after the other (source.ts).

import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { tooLarge } from '../../shared/body.ts'
import { HttpError, invalid } from '../../shared/http-error.ts'
import { logError } from '../../shared/reply.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import type { MediaSettings } from '../settings.ts'
import type { DiskBudget } from './disk-budget.ts'
import { fileNames } from './file-names.ts'
import { FileSource, StreamSource, type VideoSource } from './source.ts'
import { type TranscodedFile, transcode } from './transcoder.ts'
import { TranscodingError, type VideoFailureKind } from './transcoding-error.ts'

export interface NewTranscodingJob {
  /** Size of the source in bytes. */
  size: number
  isStreamable: boolean
  mayCopy: boolean
  maxDimension: number
  /** Duration in seconds, if the caller knows it. Used for the progress of the transcoding. */
  duration: number | undefined
}

/** The resources that all jobs share. */
export interface JobContext {
  tools: Tools
  settings: MediaSettings
  disk: DiskBudget
  /** Folder that contains a subfolder for each job. */
  folder: string
}

type State = 'receiving' | 'running' | 'ready' | 'failed'

export class TranscodingJob {
  readonly id: string
  readonly folder: string
  readonly #parameters: NewTranscodingJob
  readonly #context: JobContext
  readonly #source: VideoSource
  readonly #end = new AbortController()
  #state: State = 'receiving'
  #offset = 0
  #progress = 0
  #failure: VideoFailureKind | undefined
  #result: TranscodedFile | undefined
  /** The request that is sending the source, and a promise that resolves when it ends. */
  #sender: { body: Readable; gone: Promise<void> } | undefined
  /** Bytes of the source on disk. */
  #sourceBytes: number

  /** Throws 413 if the source is larger than the disk limit, 507 if there is no room for it now. */
  constructor(id: string, parameters: NewTranscodingJob, context: JobContext) {
    const isStream = parameters.isStreamable && context.tools.canStream
    this.id = id
    // The folder has a random name and not the id: a new job with the same id may start before this folder is deleted.
    this.folder = join(context.folder, randomUUID())
    this.#parameters = parameters
    this.#context = context
    this.#source = isStream ? new StreamSource() : new FileSource(join(this.folder, fileNames.source))
    this.#sourceBytes = isStream ? 0 : parameters.size
    if (!context.disk.canEverReserve(this.#sourceBytes)) throw tooLarge()
    if (!context.disk.reserve(this, this.#sourceBytes)) throw noRoom()
  }

  get isBusy() {
    return this.#state === 'receiving' || this.#state === 'running'
  }

  get isReady() {
    return this.#state === 'ready'
  }

  view() {
    return {
      id: this.id,
      state: this.#state,
      offset: this.#offset,
      progress: this.#progress,
      ...(this.#failure && { failure: this.#failure }),
      ...(this.#result && { result: this.#result }),
    }
  }

  async begin() {
    await mkdir(this.folder, { recursive: true })
    void this.#run().catch(logError)
    if (this.#parameters.size === 0) await this.#complete()
  }

  /**
   * Appends bytes to the source. If the request breaks off, the bytes that arrived stay. An earlier request for the job
   * is aborted: a client that sends again has lost that connection, even if the server has not noticed yet.
   */
  async receive(offset: number, contentLength: number, body: Readable) {
    this.#assertOffset(offset)
    if (offset + contentLength > this.#parameters.size) throw invalid('size')
    while (this.#sender) {
      this.#sender.body.destroy(this.#conflict())
      await this.#sender.gone
    }
    this.#assertOffset(offset)
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    this.#sender = { body, gone }
    try {
      for await (const chunk of body) await this.#append(chunk)
      if (this.#offset === this.#parameters.size) await this.#complete()
    } finally {
      this.#sender = undefined
      leave()
    }
  }

  /** Cancels the job and deletes its files. */
  async remove() {
    this.#fail(new TranscodingError('killed'))
    await this.#deleteFiles().finally(() => this.#context.disk.release(this))
  }

  #assertOffset(offset: number) {
    if (offset !== this.#offset) throw this.#conflict()
  }

  async #append(chunk: Buffer) {
    if (this.#offset + chunk.length > this.#parameters.size) throw invalid('size')
    // Once the job has ended early, such as after an error, the rest of the source is read and discarded, so that the
    // client gets a reply.
    if (this.isBusy) await this.#source.append(chunk).catch((error) => this.#rethrow(error))
    this.#offset += chunk.length
  }

  #rethrow(error: unknown) {
    if (this.isBusy) throw isFull(error) ? noRoom() : error
  }

  async #complete() {
    if (this.#state !== 'receiving') return
    this.#state = 'running'
    await this.#source.end()
  }

  async #run() {
    try {
      await this.#source.isReadable
      const result = await this.#transcode()
      if (!this.isBusy) return
      this.#result = result
      this.#progress = 1
      this.#state = 'ready'
      await this.#source.remove()
      this.#context.disk.reserve(this, result.size)
    } catch (error) {
      this.#fail(error)
      await this.#deleteFiles().finally(() => this.#context.disk.reserve(this, 0))
    }
  }

  async #transcode(): Promise<TranscodedFile> {
    const { tools, settings } = this.#context
    const timer = setTimeout(() => this.#fail(new TranscodingError('too_long')), settings.maxSeconds * 1000)
    try {
      return await transcode({
        ...this.#parameters,
        ...{ source: this.#source, folder: this.folder, tools, settings, signal: this.#end.signal },
        onProgress: (...progress) => this.#update(...progress),
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #update(seconds: number, duration: number | undefined, bytes: number) {
    const { disk } = this.#context
    const neededBytes = this.#sourceBytes + bytes
    if (!disk.reserve(this, neededBytes))
      this.#fail(new TranscodingError(disk.canEverReserve(neededBytes) ? 'out_of_disk' : 'too_large'))
    const total = this.#parameters.duration ?? duration
    const part = total ? seconds / total : this.#offset / this.#parameters.size
    this.#progress = Math.max(this.#progress, Math.min(0.99, part))
  }

  /** Marks the job as failed. Later errors, which follow from aborting the work, are ignored. */
  #fail(error: unknown) {
    if (!this.isBusy) return
    this.#state = 'failed'
    this.#failure = kindOfError(error)
    this.#end.abort(error)
  }

  async #deleteFiles() {
    await this.#source.remove()
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #conflict() {
    const content = { job: this.view() }
    return new HttpError(409, 'conflict', 'Unexpected upload offset', { content })
  }
}

function kindOfError(error: unknown): VideoFailureKind {
  if (error instanceof TranscodingError) return error.kind
  if (isFull(error)) return 'out_of_disk'
  logError(error)
  return 'killed'
}

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))

const noRoom = () => new HttpError(507, 'out_of_disk', 'There is no disk space for the source at the moment')
