// Durable object that stores one resumable upload in R2 and turns it into an item. tus.ts handles the HTTP requests.
import { DurableObject } from 'cloudflare:workers'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { failure, missing } from './errors.ts'
import { ingest, type StoredUpload } from './ingest.ts'
import type { ItemsEnv } from './item-access.ts'
import { seekItem } from './items.ts'
import { addPendingUpload, discardUpload, recordMultipartUpload } from './pending-uploads.ts'
import { fileKey, tailKey } from './r2-keys.ts'
import { drainBody } from './request-body.ts'
import { schema } from './schema.ts'
import { partBytes, splitIntoParts } from './stream-upload.ts'

/** Parameters of a new upload. */
interface NewUpload extends Omit<StoredUpload, 'bytes' | 'declaredType'> {
  /** Media type that the client sent as `filetype`. The stored name cannot change; see `Upload`. */
  said: string
  /** Time when the unfinished upload is deleted, in milliseconds since 1970. */
  expires: number
  /** The header `Upload-Metadata` of the client, which a HEAD request returns unchanged. */
  metadata: string
}

/** State of an upload, as the replies of tus return it in headers. */
export interface UploadState {
  offset: number
  length: number
  expires: number
  metadata: string
  /** Digest of the item, once the upload is complete. */
  digest?: string
}

/**
 * The state in the storage of the durable object. Do not rename its keys: uploads that are in progress during a deployment would be
 * lost.
 */
interface Upload extends NewUpload {
  /** Number of stored bytes: those of the complete parts and of the tail, which is the rest after the last part. */
  offset: number
  parts: R2UploadedPart[]
  /** Id of the multipart upload in R2, once the first part is complete. */
  upload?: string
  /** Set when the complete file is stored under `fileKey`. */
  isStored?: true
  /** Set when the item exists, so that a repeated request creates no second one. */
  isAdmitted?: true
}

/**
 * Delay in milliseconds between the expiry of an upload and its deletion by the sweep. The alarm of this object deletes it first;
 * the sweep is for the case that the alarm fails.
 */
const sweepDelayMs = 3_600_000

/**
 * Stores one upload. The bytes are in R2: whole parts in a multipart upload, and the rest in a tail object. The offset advances
 * only after the bytes are stored, so after a crash of the client or of this object, the client resumes at the stored offset.
 */
export class TusUpload extends DurableObject<ItemsEnv> {
  /** The last operation in the queue, for which the next one waits. */
  #last: Promise<unknown> = Promise.resolve()
  /** Functions that stop the running operations from reading the body of a client. */
  #stops: (() => void)[] = []

  async create(upload: NewUpload): Promise<void> {
    await addPendingUpload(open(this.env, schema), upload.digest, new Date(upload.expires + sweepDelayMs))
    this.#save({ ...upload, offset: 0, parts: [] })
    await this.ctx.storage.setAlarm(upload.expires)
  }

  /** Returns the state of the upload. If all bytes have arrived, creates the item first, and throws if the file is rejected. */
  state(): Promise<UploadState> {
    return this.#serialize(() => this.#finish())
  }

  /**
   * Appends bytes at an offset. Throws 409 if it is not the stored offset. If the connection breaks, the bytes that have arrived
   * are kept.
   */
  append(offset: number, bytes: ReadableStream<Uint8Array> | null): Promise<UploadState> {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    const appended = this.#serialize(async () => {
      try {
        await this.#append(offset, bytes, stopped)
      } catch (error) {
        await Promise.race([drainBody(bytes), stopped])
        throw error
      }
      return this.#finish()
    })
    this.#stops.push(stop)
    return appended
  }

  /** Deletes the upload. The item of a complete upload stays. */
  terminate(): Promise<void> {
    return this.#serialize(() => this.#forget(this.#upload()))
  }

  override alarm() {
    return this.#serialize(async () => {
      const upload = this.ctx.storage.kv.get<Upload>('upload')
      if (upload) await this.#forget(upload)
    })
  }

  /**
   * Runs operations one at a time, in order. A new operation stops an operation that still reads a body: a client that sends
   * another request has lost the earlier connection, even if this object does not know that yet.
   */
  #serialize<T>(work: () => Promise<T>): Promise<T> {
    for (const stop of this.#stops.splice(0)) stop()
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  #upload(): Upload {
    const upload = this.ctx.storage.kv.get<Upload>('upload')
    if (!upload) throw missing('upload')
    return upload
  }

  #save(upload: Upload): Upload {
    this.ctx.storage.kv.put('upload', upload)
    return upload
  }

  async #append(offset: number, bytes: ReadableStream<Uint8Array> | null, stopped: Promise<void>): Promise<void> {
    let upload = this.#upload()
    if (offset !== upload.offset) throw failure('offset_mismatch', `Upload-Offset must be ${upload.offset}, got ${offset}.`) // biome-ignore format: one line
    if (!bytes || upload.offset === upload.size) return
    const tail = await this.#tail(upload)
    for await (const part of splitIntoParts(concatenated(tail, bytes, stopped))) {
      const end = upload.parts.length * partBytes + part.length
      if (end > upload.size)
        throw failure('payload_too_large', `The upload must be as long as its Upload-Length, ${upload.size} bytes.`)
      upload = part.length === partBytes ? await this.#addPart(upload, part) : await this.#keepTail(upload, part)
    }
  }

  async #tail({ digest, offset, parts }: Upload): Promise<Uint8Array> {
    if (offset === parts.length * partBytes) return new Uint8Array()
    const stored = await this.env.FILES.get(tailKey(digest, offset))
    if (!stored) throw new Error('The tail of the upload is missing in R2')
    return stored.bytes()
  }

  async #addPart(upload: Upload, bytes: Uint8Array): Promise<Upload> {
    const { digest, parts } = upload
    const key = fileKey(digest)
    const id = upload.upload ?? (await this.env.FILES.createMultipartUpload(key)).uploadId
    if (!upload.upload) await recordMultipartUpload(open(this.env, schema), digest, id)
    const part = await this.env.FILES.resumeMultipartUpload(key, id).uploadPart(parts.length + 1, bytes)
    return this.#advance(upload, { upload: id, parts: [...parts, part], offset: (parts.length + 1) * partBytes })
  }

  async #keepTail(upload: Upload, bytes: Uint8Array): Promise<Upload> {
    const offset = upload.parts.length * partBytes + bytes.length
    if (offset === upload.offset) return upload
    await this.env.FILES.put(tailKey(upload.digest, offset), bytes)
    return this.#advance(upload, { offset })
  }

  /**
   * Stores the new state, then deletes the previous tail. In the other order, a crash in between would lose the bytes of the tail.
   */
  async #advance(before: Upload, change: Partial<Upload>): Promise<Upload> {
    const upload = this.#save({ ...before, ...change })
    if (before.offset % partBytes > 0) await this.env.FILES.delete(tailKey(before.digest, before.offset))
    return upload
  }

  async #finish(): Promise<UploadState> {
    let upload = this.#upload()
    if (upload.offset === upload.size && !upload.isStored) upload = await this.#store(upload)
    if (upload.isStored && !upload.isAdmitted) upload = await this.#ingest(upload)
    const { offset, size: length, expires, metadata, digest, isAdmitted } = upload
    return { offset, length, expires, metadata, ...(isAdmitted && { digest }) }
  }

  /**
   * Completes the multipart upload. If the object has its full size already, an earlier call completed the upload and crashed
   * before it stored that, so the step is skipped.
   */
  async #store(upload: Upload): Promise<Upload> {
    const { FILES } = this.env
    const key = fileKey(upload.digest)
    const tail = await this.#tail(upload)
    const stored = await FILES.head(key)
    if (stored?.size !== upload.size) {
      if (!upload.upload) await FILES.put(key, tail)
      else {
        const parts = [...upload.parts]
        const multipart = FILES.resumeMultipartUpload(key, upload.upload)
        if (tail.length > 0) parts.push(await multipart.uploadPart(parts.length + 1, tail))
        await multipart.complete(parts)
      }
    }
    const done = this.#save({ ...upload, isStored: true })
    if (tail.length > 0) await FILES.delete(tailKey(upload.digest, upload.offset))
    return done
  }

  async #ingest(upload: Upload): Promise<Upload> {
    try {
      // An earlier call may have added the item and crashed before it stored that. A second item with the same digest would be an
      // error.
      if (!(await seekItem(open(this.env, schema), upload.digest)))
        await ingest(this.env, { ...upload, declaredType: upload.said })
    } catch (error) {
      // A file that is rejected (400, 413 or 415) would be rejected again, so the upload is deleted. After another error, such as
      // 503 while the container is down, the next request tries again.
      if (Failure.is(error) && isFinal(error)) await this.#forget(upload)
      throw error
    }
    return this.#save({ ...upload, isAdmitted: true })
  }

  async #forget({ digest, upload, isStored, isAdmitted }: Upload): Promise<void> {
    if (upload && !isStored) await this.env.FILES.resumeMultipartUpload(fileKey(digest), upload).abort().catch(() => undefined) // biome-ignore format: one line
    const store = open(this.env, schema)
    if (!isAdmitted && !(await seekItem(store, digest))) await discardUpload(this.env, store, digest)
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
}

/** Yields `head`, then the chunks of a stream until it ends, breaks, or `stopped` resolves. */
async function* concatenated(head: Uint8Array, stream: ReadableStream<Uint8Array>, stopped: Promise<void>) {
  yield head
  const reader = stream.getReader()
  let isStopped = false
  let leave = () => {}
  void stopped.then(() => {
    isStopped = true
    leave()
  })
  // Waits for the next chunk or for `leave`. Promise.race with `stopped` would be shorter, but would leak memory for every chunk
  // while `stopped` is pending.
  const next = () =>
    new Promise<Uint8Array | undefined>((resolve) => {
      leave = () => resolve(undefined)
      reader.read().then(({ value }) => resolve(value), leave)
    })
  try {
    while (!isStopped) {
      const chunk = await next()
      if (!chunk) return
      yield chunk
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const finalStatuses: ReadonlySet<number> = new Set([400, 413, 415])

const isFinal = ({ status }: Failure) => finalStatuses.has(status)
