import { DurableObject } from 'cloudflare:workers'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { failure, missing } from './errors.ts'
import { ingest, type StoredUpload } from './ingest.ts'
import type { ItemsEnv } from './item-access.ts'
import { seekItem } from './items.ts'
import { addPendingUpload, discardUpload, recordMultipartUpload } from './pending-uploads.ts'
import { fileKey, tailKey } from './r2-keys.ts'
import { skip } from './request-body.ts'
import { schema } from './schema.ts'
import { partBytes, splitIntoParts } from './stream-upload.ts'

/** What an upload begins with. */
interface NewUpload extends Omit<StoredUpload, 'whole'> {
  /** When it is forgotten, in milliseconds since 1970. */
  expires: number
  /** `Upload-Metadata`, as it came. */
  metadata: string
}

/** How far an upload is: what a HEAD tells. */
export interface UploadState {
  offset: number
  length: number
  expires: number
  metadata: string
  /** Of the item that it has become. */
  digest?: string
}

interface Upload extends NewUpload {
  /** Bytes that are safe: all parts, and a tail that is no part yet. */
  offset: number
  parts: R2UploadedPart[]
  /** R2's name of the upload in parts, once there is more than one. */
  upload?: string
  /** All bytes lie under the file's key. */
  isStored?: true
  isAdmitted?: true
}

const grace = 3_600_000

/**
 * One upload of the tus protocol. What has arrived is in R2, in parts of one size and a tail, before it counts: a client
 * that comes back after a crash on either side finds how far it got.
 */
export class TusUpload extends DurableObject<ItemsEnv> {
  /** What is under way, one after the other; and what makes each that reads a client's bytes stop. */
  #last: Promise<unknown> = Promise.resolve()
  #stops: (() => void)[] = []

  async create(upload: NewUpload): Promise<void> {
    await addPendingUpload(open(this.env, schema), upload.digest, new Date(upload.expires + grace))
    this.#save({ ...upload, offset: 0, parts: [] })
    await this.ctx.storage.setAlarm(upload.expires)
  }

  /** How far it is. A whole one becomes its item, or is refused, here at the latest. */
  state(): Promise<UploadState> {
    return this.#inTurn(() => this.#finish())
  }

  /** Appends bytes at an offset, 409 where another one is due. What has arrived of a stream that breaks is kept. */
  append(offset: number, bytes: ReadableStream<Uint8Array> | null): Promise<UploadState> {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    const appended = this.#inTurn(async () => {
      try {
        await this.#append(offset, bytes, stopped)
      } catch (error) {
        await Promise.race([skip(bytes), stopped])
        throw error
      }
      return this.#finish()
    })
    this.#stops.push(stop)
    return appended
  }

  /** Ends it; an item that it has become stays. */
  terminate(): Promise<void> {
    return this.#inTurn(() => this.#forget(this.#upload()))
  }

  override alarm() {
    return this.#inTurn(async () => {
      const upload = this.ctx.storage.kv.get<Upload>('upload')
      if (upload) await this.#forget(upload)
    })
  }

  /**
   * One at a time, in their order. Who reads a client's bytes stops for the next: a client that asks again has lost that
   * connection, whether or not its end was noticed.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    for (const stop of this.#stops.splice(0)) stop()
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
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
    for await (const part of splitIntoParts(following(tail, bytes, stopped))) {
      const end = upload.parts.length * partBytes + part.length
      if (end > upload.size)
        throw failure('payload_too_large', `The upload must be as long as its Upload-Length, ${upload.size} bytes.`)
      upload = part.length === partBytes ? await this.#addPart(upload, part) : await this.#keepTail(upload, part)
    }
  }

  async #tail({ digest, offset, parts }: Upload): Promise<Uint8Array> {
    if (offset === parts.length * partBytes) return new Uint8Array()
    const stored = await this.env.FILES.get(tailKey(digest, offset))
    if (!stored) throw new Error('The tail of an upload is lost')
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

  /** The tail that was is a part of what there is now. */
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

  /** Puts the parts together; what a crash cut off after R2 had done so is seen by the size. */
  async #store(upload: Upload): Promise<Upload> {
    const { FILES } = this.env
    const key = fileKey(upload.digest)
    const tail = await this.#tail(upload)
    const stored = await FILES.head(key)
    if (stored?.size !== upload.size) {
      if (!upload.upload) await FILES.put(key, tail)
      else {
        const parts = [...upload.parts]
        const under = FILES.resumeMultipartUpload(key, upload.upload)
        if (tail.length > 0) parts.push(await under.uploadPart(parts.length + 1, tail))
        await under.complete(parts)
      }
    }
    const done = this.#save({ ...upload, isStored: true })
    if (tail.length > 0) await FILES.delete(tailKey(upload.digest, upload.offset))
    return done
  }

  async #ingest(upload: Upload): Promise<Upload> {
    try {
      // A crash may have come between the item and the note of it here.
      if (!(await seekItem(open(this.env, schema), upload.digest))) await ingest(this.env, upload)
    } catch (error) {
      // What is refused for good is not kept; a container that is down is asked again.
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

/** Bytes, and those of a stream after them, until it ends, breaks or is to stop. */
async function* following(head: Uint8Array, stream: ReadableStream<Uint8Array>, stopped: Promise<void>) {
  yield head
  const reader = stream.getReader()
  let isStopped = false
  let leave = () => {}
  void stopped.then(() => {
    isStopped = true
    leave()
  })
  // Not a race with `stopped`, which would keep something of every chunk for as long as it is pending.
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
