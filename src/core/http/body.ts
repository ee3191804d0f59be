import { concat } from '#core/chunks'
import { failure } from '#core/failure'

const drain = 1_000_000

/**
 * The body's bytes, at most `limit`. A longer one is read on for a megabyte, since a reply to a client that is
 * still sending resets the connection, and then refused.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced <= limit) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    if (size > limit + drain) break
  }
  if (size > limit) throw failure('payload_too_large', `The body is larger than ${limit} bytes`)
  return chunks.length === 1 ? chunks[0]! : concat(chunks, size)
}

/** Reads a body that nobody wants, as far as `readBody` would. */
export async function skipBody(request: Request, limit: number): Promise<void> {
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit + drain) break
  }
}
