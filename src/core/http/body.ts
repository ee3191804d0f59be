// Reads request bodies up to a size limit. Drains the rest of a longer body, since many clients read no reply before
// they have sent everything.
import { concat } from '#core/chunks'
import { failure } from '#core/failure'

/** Maximum number of bytes to drain after the size limit: a client may send its whole body before it reads the 413. */
const maxDrainBytes = 32_000_000
const drainTimeoutMs = 10_000

/** Reads a body of at most `limit` bytes. Drains a longer body, then throws 413 `payload_too_large`. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced <= limit) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  const size = await drain(request.body, limit, (chunk) => chunks.push(chunk))
  if (size > limit) throw failure('payload_too_large', `The body is larger than ${limit} bytes.`)
  return chunks.length === 1 ? chunks[0]! : concat(chunks, size)
}

/**
 * Reads and discards a body that is not needed, within the same limits as `readBody`, so that the client gets the
 * reply.
 */
export async function skipBody({ body }: Request, limit: number): Promise<void> {
  if (body) await drain(body, limit, () => undefined)
}

/**
 * Passes the chunks of a body within the limit to `take`. Drains what follows, up to 32 MB and for at most 10 s, so
 * that a client cannot keep the request open.
 */
async function drain(
  body: ReadableStream<Uint8Array>,
  limit: number,
  take: (chunk: Uint8Array) => void,
): Promise<number> {
  const reader = body.getReader()
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return size
      size += value.length
      if (size <= limit) take(value)
      // A timer cancels the pending read, since the client may have stopped sending without closing the connection.
      else timer ??= setTimeout(() => void reader.cancel().catch(() => undefined), drainTimeoutMs)
      if (size > limit + maxDrainBytes) return size
    }
  } finally {
    clearTimeout(timer)
    reader.releaseLock()
  }
}
