// Reads the body of a request and keeps only its first megabyte.
import { concat } from '#core/chunks'

/** The beginning of a body, and its whole size. */
export interface TruncatedBody {
  body: Uint8Array<ArrayBuffer>
  /** Size of the whole body in bytes; null if unknown. */
  body_size: number | null
}

/** Maximum number of bytes of a body that are kept. */
export const maxKeptBytes = 1_000_000

/** Bytes of a body that are read before the connection is given up. */
const maxReadBytes = 100_000_000

/** Reads a body to the end, since a reply before the end would reset the sender's connection. */
export async function readTruncated({ body, headers }: Pick<Request, 'body' | 'headers'>): Promise<TruncatedBody> {
  if (!body) return { body: new Uint8Array(), body_size: 0 }
  const kept: Uint8Array[] = []
  let size = 0
  const isComplete = await readChunks(body, (chunk) => {
    if (size < maxKeptBytes) kept.push(chunk.subarray(0, maxKeptBytes - size))
    size += chunk.length
    return size <= maxReadBytes
  })
  return { body: concat(kept, Math.min(size, maxKeptBytes)), body_size: isComplete ? size : declaredSize(headers) }
}

/** Reads chunks until the end, an error, or `take` returns false. Returns whether the body is complete. */
async function readChunks(body: ReadableStream<Uint8Array>, take: (chunk: Uint8Array) => boolean): Promise<boolean> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return true
      if (!take(value)) return false
    }
  } catch {
    return false
  }
}

const declaredSize = (headers: Headers) => {
  const length = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}
