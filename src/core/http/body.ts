// Reads request bodies up to a size limit. The rest of a longer body is drained, so that the client reads the error.
import { concat } from '#core/chunks'
import { failure } from '#core/failure'

/** Bytes read after the limit: the client may send its whole body before it reads the reply. */
const maxDrainBytes = 32_000_000
const drainTimeoutMs = 10_000

/** Reads a body of at most `limit` bytes. A longer body is drained and then refused with 413. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced <= limit) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  const size = await drain(request.body, limit, (chunk) => chunks.push(chunk))
  if (size > limit) throw failure('payload_too_large', `The body is larger than ${limit} bytes.`)
  return chunks.length === 1 ? chunks[0]! : concat(chunks, size)
}

/** Drains a body that is not needed, within the same limits as `readBody`. */
export async function skipBody({ body }: Request, limit: number): Promise<void> {
  if (body) await drain(body, limit, () => undefined)
}

/** Reads a body and passes the chunks within the limit to `take`. Beyond the limit it reads at most 32 MB or for 10 s. */
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
      // Cancels a pending read: the client may have stopped sending.
      else timer ??= setTimeout(() => void reader.cancel().catch(() => undefined), drainTimeoutMs)
      if (size > limit + maxDrainBytes) return size
    }
  } finally {
    clearTimeout(timer)
    reader.releaseLock()
  }
}
