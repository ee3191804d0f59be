import { concat } from '#core/chunks'

/** A body of which only the beginning is kept. */
export interface CutBody {
  body: Uint8Array<ArrayBuffer>
  /** Of the whole body, in bytes; null: not known. */
  body_size: number | null
}

/** The most that is kept of a body, in bytes. */
export const mostKept = 1_000_000

/** The most that is read of one; a sender that has not come to its end by then does not mean to. */
const mostRead = 100_000_000

/** Reads a request's body to the end, since a reply to one who still sends resets the connection; keeps the beginning. */
export async function readCut({ body, headers }: Pick<Request, 'body' | 'headers'>): Promise<CutBody> {
  if (!body) return { body: new Uint8Array(), body_size: 0 }
  const kept: Uint8Array[] = []
  let size = 0
  const whole = await readChunks(body, (chunk) => {
    if (size < mostKept) kept.push(chunk.subarray(0, mostKept - size))
    size += chunk.length
    return size <= mostRead
  })
  return { body: concat(kept, Math.min(size, mostKept)), body_size: whole ? size : declaredSize(headers) }
}

/** Whether a body came to its end. One that breaks off is caught as far as it came. */
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
