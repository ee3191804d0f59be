// The bytes of a source, on their way to ffmpeg.
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { write } from '../ffmpeg/child-process.ts'
import type { Input } from '../ffmpeg/input.ts'

export interface VideoSource {
  readonly input: Input
  /** Resolves when a program may begin to read; rejects when what was taken could not be kept. */
  readonly isReadable: Promise<void>
  /** Takes the next bytes, and resolves when there is room for more. */
  take(chunk: Buffer): Promise<void>
  /** There are no more. */
  end(): Promise<void>
  /** A program that reads: `isLook` when another will, from the beginning. */
  attach(stdin: Writable, isLook: boolean): void
  /** Nothing reads it any more. */
  remove(): Promise<void>
}

/** Keeps the bytes in a file, which may be read in any order. */
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

  async take(chunk: Buffer) {
    const file = await this.#open()
    // At a place of its own: what a full disk took a part of is written again.
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
    if (this.#position === 0) await this.take(Buffer.alloc(0))
    await this.#close()
  }

  /** Where it could not be opened, the next bytes try again. */
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

/** How much of a stream is held for a second look; what is not understood by then is not understood as a stream. */
const mostHeld = 24_000_000

/** Passes the bytes on as they come, and keeps none but those that a program has looked at, for the next. */
export class StreamSource implements VideoSource {
  readonly input: Input = 'pipe:0'
  readonly isReadable = Promise.resolve()
  #reader: Writable | undefined
  #isComplete = false
  #held: Buffer[] | undefined = []
  #heldBytes = 0
  readonly #looked: Promise<void>
  #endLook = () => {}

  constructor() {
    this.#looked = new Promise((resolve) => {
      this.#endLook = resolve
    })
  }

  async take(chunk: Buffer) {
    this.#held?.push(chunk)
    this.#heldBytes += chunk.length
    if (!this.#held || this.#heldBytes <= mostHeld) return this.#reader && write(this.#reader, chunk)
    this.#reader?.end()
    await this.#looked
  }

  async end() {
    this.#isComplete = true
    this.#reader?.end()
  }

  attach(stdin: Writable, isLook: boolean) {
    this.#reader = stdin
    for (const chunk of this.#held ?? []) stdin.write(chunk)
    if (this.#isComplete) stdin.end()
    if (!isLook) this.#release()
  }

  async remove() {
    this.#reader = undefined
    this.#release()
  }

  #release() {
    this.#held = undefined
    this.#endLook()
  }
}
