// Passes the uploaded bytes of a video to ffprobe and ffmpeg: through a file, or as a stream without a file.
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { write } from '../ffmpeg/child-process.ts'
import type { Input } from '../ffmpeg/input.ts'

export interface VideoSource {
  readonly input: Input
  /** Resolves when a program can start to read the source; rejects if the bytes could not be stored. */
  readonly isReadable: Promise<void>
  /** Appends bytes. Resolves when there is room for more (backpressure). */
  append(chunk: Buffer): Promise<void>
  /** Marks the end of the source. */
  end(): Promise<void>
  /**
   * Attaches the input of a program that reads the source. With `isProbe`, another program will read the source from
   * the beginning afterwards.
   */
  attach(stdin: Writable, isProbe: boolean): void
  /** Deletes the stored bytes. Call it when no program reads them any more. */
  remove(): Promise<void>
}

/** Stores the source in a file, for formats that need random access. */
export class FileSource implements VideoSource {
  readonly input: Input
  readonly isReadable: Promise<void>
  readonly #path: string
  #file: Promise<FileHandle> | undefined
  #position = 0
  #becomeReadable = (_now: Promise<void>) => {}

  constructor(path: string) {
    this.input = `file:${path}`
    this.#path = path
    this.isReadable = new Promise((resolve) => {
      this.#becomeReadable = resolve
    })
  }

  async append(chunk: Buffer) {
    const file = await this.#open()
    // Writes at an explicit position: after a full disk stored only a part of a chunk, a retry overwrites that part.
    for (let at = 0; at < chunk.length; ) {
      at += (await file.write(chunk, at, chunk.length - at, this.#position + at)).bytesWritten
    }
    this.#position += chunk.length
  }

  async end() {
    this.#becomeReadable(this.#finish())
  }

  attach(stdin: Writable) {
    stdin.end()
  }

  async remove() {
    await this.#close()
    await rm(this.#path, { force: true })
  }

  async #finish() {
    if (this.#position === 0) await this.append(Buffer.alloc(0))
    await this.#close()
  }

  /** Opens the file at the first chunk. If that fails, the next chunk tries again. */
  #open(): Promise<FileHandle> {
    this.#file ??= open(this.#path, 'w').catch((error) => {
      this.#file = undefined
      throw error
    })
    return this.#file
  }

  async #close() {
    const file = this.#file
    this.#file = undefined
    await (await file?.catch(() => undefined))?.close()
  }
}

/**
 * Maximum number of bytes that are buffered for ffmpeg while ffprobe reads. If ffprobe needs more, the format cannot be
 * read as a stream.
 */
const maxBufferedBytes = 24_000_000

/**
 * Streams the source to the programs while it arrives. Only the beginning is buffered, since ffprobe reads it first and
 * ffmpeg again.
 */
export class StreamSource implements VideoSource {
  readonly input: Input = 'pipe:0'
  readonly isReadable = Promise.resolve()
  #reader: Writable | undefined
  #isComplete = false
  #buffer: Buffer[] | undefined = []
  #bufferedBytes = 0
  readonly #probed: Promise<void>
  #endProbe = () => {}

  constructor() {
    this.#probed = new Promise((resolve) => {
      this.#endProbe = resolve
    })
  }

  async append(chunk: Buffer) {
    this.#buffer?.push(chunk)
    this.#bufferedBytes += chunk.length
    if (!this.#buffer || this.#bufferedBytes <= maxBufferedBytes) return this.#reader && write(this.#reader, chunk)
    this.#reader?.end()
    await this.#probed
  }

  async end() {
    this.#isComplete = true
    this.#reader?.end()
  }

  attach(stdin: Writable, isProbe: boolean) {
    this.#reader = stdin
    for (const chunk of this.#buffer ?? []) stdin.write(chunk)
    if (this.#isComplete) stdin.end()
    if (!isProbe) this.#release()
  }

  async remove() {
    this.#reader = undefined
    this.#release()
  }

  #release() {
    this.#buffer = undefined
    this.#endProbe()
  }
}
