// Streams an uploaded file into R2: a small one as one object, a larger one as a multipart upload.
import { tooLarge } from './limits.ts'

/**
 * Size of each part of a multipart upload except the last. This is the minimum that R2 allows; a larger part would take more
 * memory, since each upload holds two parts.
 */
export const partBytes = 5 * 1024 * 1024

interface UploadedStream {
  size: number
  /** The content, if it is smaller than a part. The checks of the content then need no read from R2. */
  bytes?: Uint8Array<ArrayBuffer>
}

/**
 * Writes a stream to a key in R2, with at most two parts in memory. Throws 413 if the stream is longer than `maxSize` bytes. A failed
 * upload leaves nothing in R2. `onUpload` gets the id of the multipart upload before its first part is sent, so that the upload can be
 * aborted after a crash.
 */
export async function uploadStream(
  files: R2Bucket,
  key: string,
  stream: AsyncIterable<Uint8Array>,
  maxSize: number,
  onUpload: (id: string) => Promise<void>,
): Promise<UploadedStream> {
  let upload: R2MultipartUpload | undefined
  const parts: R2UploadedPart[] = []
  let size = 0
  // The upload of the previous part, which runs while the next part is read.
  let sending: Promise<void> | undefined
  try {
    for await (const part of splitIntoParts(stream)) {
      size += part.length
      if (size > maxSize) throw tooLarge(maxSize)
      await sending
      if (!upload && part.length < partBytes) {
        await files.put(key, part)
        return { size, bytes: part }
      }
      if (!upload) {
        upload = await files.createMultipartUpload(key)
        await onUpload(upload.uploadId)
      }
      sending = send(upload, parts, part)
      // Marks the rejection as handled. `sending` is awaited only after the next part was read, and the runtime would report an
      // unhandled rejection before that.
      sending.catch(() => undefined)
    }
    await sending
    if (!upload) {
      const bytes = new Uint8Array()
      await files.put(key, bytes)
      return { size, bytes }
    }
    await upload.complete(parts)
    return { size }
  } catch (error) {
    await sending?.catch(() => undefined)
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

async function send(upload: R2MultipartUpload, parts: R2UploadedPart[], bytes: Uint8Array) {
  parts.push(await upload.uploadPart(parts.length + 1, bytes))
}

/** Splits a stream into parts of `partBytes` and a last part with the remaining bytes. */
export async function* splitIntoParts(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(minBufferBytes)
  let held = 0
  for await (let chunk of stream) {
    while (held + chunk.length >= partBytes) {
      part = enlarged(part, held, partBytes)
      part.set(chunk.subarray(0, partBytes - held), held)
      chunk = chunk.subarray(partBytes - held)
      yield part
      part = new Uint8Array(minBufferBytes)
      held = 0
    }
    part = enlarged(part, held, held + chunk.length)
    part.set(chunk, held)
    held += chunk.length
  }
  if (held > 0) yield part.subarray(0, held)
}

const minBufferBytes = 64 * 1024

/**
 * Returns a larger buffer with the same content. The size doubles, so that a small file takes little memory and no byte is copied
 * often.
 */
function enlarged(bytes: Uint8Array<ArrayBuffer>, held: number, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.min(partBytes, Math.max(needed, bytes.length * 2)))
  larger.set(bytes.subarray(0, held))
  return larger
}
