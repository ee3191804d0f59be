// One video's stay here.
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { tooLarge } from '../../shared/body.ts'
import { HttpError, invalid } from '../../shared/http-error.ts'
import { logError } from '../../shared/reply.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import type { MediaSettings } from '../settings.ts'
import type { Disk } from './disk-budget.ts'
import { names } from './file-names.ts'
import { FileSource, StreamSource, type VideoSource } from './source.ts'
import { type TranscodedFile, transcode } from './transcoder.ts'
import { TranscodingError, type VideoFailureKind } from './transcoding-error.ts'

export interface NewTranscodingJob {
  /** Bytes of the source. */
  size: number
  isStreamable: boolean
  mayCopy: boolean
  maxDimension: number
  /** Seconds, where the caller knows. */
  duration: number | undefined
}

/** What all jobs share. */
export interface JobContext {
  tools: Tools
  settings: MediaSettings
  disk: Disk
  /** Has a folder for each. */
  folder: string
}

type State = 'receiving' | 'running' | 'ready' | 'failed'

export class TranscodingJob {
  readonly id: string
  readonly folder: string
  readonly #asked: NewTranscodingJob
  readonly #place: JobContext
  readonly #source: VideoSource
  readonly #end = new AbortController()
  #state: State = 'receiving'
  #offset = 0
  #progress = 0
  #failure: VideoFailureKind | undefined
  #result: TranscodedFile | undefined
  /** Who sends the source, and when that is over. */
  #sender: { body: Readable; gone: Promise<void> } | undefined
  /** Of the source, on disk. */
  #kept: number

  /** Refuses a source that there is no room for. */
  constructor(id: string, asked: NewTranscodingJob, place: JobContext) {
    const isStream = asked.isStreamable && place.tools.canStream
    this.id = id
    // Not by its id, which may begin again before this one is swept away.
    this.folder = join(place.folder, randomUUID())
    this.#asked = asked
    this.#place = place
    this.#source = isStream ? new StreamSource() : new FileSource(join(this.folder, names.source))
    this.#kept = isStream ? 0 : asked.size
    if (!place.disk.canEverHold(this.#kept)) throw tooLarge()
    if (!place.disk.hold(this, this.#kept)) throw noRoom()
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
    if (this.#asked.size === 0) await this.#complete()
  }

  /**
   * Takes the next bytes of the source, as many as are announced; those that came before it was cut off stay. Whoever sent
   * before is cut off: who sends again has lost that connection, whether or not its end was noticed.
   */
  async receive(offset: number, announced: number, body: Readable) {
    this.#expect(offset)
    if (offset + announced > this.#asked.size) throw invalid('size')
    while (this.#sender) {
      this.#sender.body.destroy(this.#conflict())
      await this.#sender.gone
    }
    this.#expect(offset)
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    this.#sender = { body, gone }
    try {
      for await (const chunk of body) await this.#take(chunk)
      if (this.#offset === this.#asked.size) await this.#complete()
    } finally {
      this.#sender = undefined
      leave()
    }
  }

  /** Ends whatever it does, and leaves nothing behind. */
  async remove() {
    this.#fail(new TranscodingError('killed'))
    await this.#sweep().finally(() => this.#place.disk.release(this))
  }

  #expect(offset: number) {
    if (offset !== this.#offset) throw this.#conflict()
  }

  async #take(chunk: Buffer) {
    if (this.#offset + chunk.length > this.#asked.size) throw invalid('size')
    // What has ended before it was all there swallows the rest.
    if (this.isBusy) await this.#source.take(chunk).catch((error) => this.#refuse(error))
    this.#offset += chunk.length
  }

  #refuse(error: unknown) {
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
      this.#place.disk.hold(this, result.size)
    } catch (error) {
      this.#fail(error)
      await this.#sweep().finally(() => this.#place.disk.hold(this, 0))
    }
  }

  async #transcode(): Promise<TranscodedFile> {
    const { tools, settings } = this.#place
    const timer = setTimeout(() => this.#fail(new TranscodingError('too_long')), settings.maxSeconds * 1000)
    try {
      return await transcode({
        ...this.#asked,
        ...{ source: this.#source, folder: this.folder, tools, settings, signal: this.#end.signal },
        onProgress: (...made) => this.#note(...made),
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #note(seconds: number, duration: number | undefined, bytes: number) {
    const { disk } = this.#place
    const held = this.#kept + bytes
    if (!disk.hold(this, held)) this.#fail(new TranscodingError(disk.canEverHold(held) ? 'out_of_disk' : 'too_large'))
    const whole = this.#asked.duration ?? duration
    const part = whole ? seconds / whole : this.#offset / this.#asked.size
    this.#progress = Math.max(this.#progress, Math.min(0.99, part))
  }

  /** Once: what comes of that is not another failure. */
  #fail(error: unknown) {
    if (!this.isBusy) return
    this.#state = 'failed'
    this.#failure = kindOfError(error)
    this.#end.abort(error)
  }

  async #sweep() {
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

const noRoom = () => new HttpError(507, 'out_of_disk', 'There is no room for that source')
