import { tooLarge } from './limits.ts'

/** Bytes of a part in R2: every part but the last has as many. It is the least that R2 takes, since two are held for each upload. */
export const partBytes = 5 * 1024 * 1024

interface UploadedStream {
  size: number
  /** All of it, where it is no larger than a part. */
  whole?: Uint8Array<ArrayBuffer>
}

/**
 * Writes a stream under a key of R2, holding at most two parts of it. Past `maxSize` bytes it is 413. Nothing is left
 * where it fails; for a crash `onUpload` learns the name of the upload in parts before its first one is sent.
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
  // One part is on its way while the next one is read.
  let sending: Promise<void> | undefined
  try {
    for await (const part of splitIntoParts(stream)) {
      size += part.length
      if (size > maxSize) throw tooLarge(maxSize)
      await sending
      if (!upload && part.length < partBytes) {
        await files.put(key, part)
        return { size, whole: part }
      }
      if (!upload) {
        upload = await files.createMultipartUpload(key)
        await onUpload(upload.uploadId)
      }
      sending = send(upload, parts, part)
      // A failure is seen where it is awaited, which may be after the stream has failed too.
      sending.catch(() => undefined)
    }
    await sending
    if (!upload) {
      const whole = new Uint8Array()
      await files.put(key, whole)
      return { size, whole }
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

/** The bytes of a stream in pieces of `partBytes`, the last one as large as it comes. */
export async function* splitIntoParts(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(leastHeld)
  let held = 0
  for await (let chunk of stream) {
    while (held + chunk.length >= partBytes) {
      part = enlarged(part, held, partBytes)
      part.set(chunk.subarray(0, partBytes - held), held)
      chunk = chunk.subarray(partBytes - held)
      yield part
      part = new Uint8Array(leastHeld)
      held = 0
    }
    part = enlarged(part, held, held + chunk.length)
    part.set(chunk, held)
    held += chunk.length
  }
  if (held > 0) yield part.subarray(0, held)
}

const leastHeld = 64 * 1024

/** The same bytes with room for more: twice as much each time, so that a small file takes little, and none is copied often. */
function enlarged(bytes: Uint8Array<ArrayBuffer>, held: number, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.min(partBytes, Math.max(needed, bytes.length * 2)))
  larger.set(bytes.subarray(0, held))
  return larger
}
