// Reads request bodies and query parameters for the servers in the containers, with limits on size and time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, invalid } from './http-error.ts'

/** Time after which a slow upload is cut off, since it occupies a slot of the semaphore. */
const bodyTimeoutMs = 60_000

/** Reads a body into memory. Throws 413 if it is larger than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const contentLength = Number(request.headers['content-length'] ?? 0)
  if (contentLength > limit) throw tooLarge()
  const timer = setTimeout(() => request.destroy(), bodyTimeoutMs)
  try {
    // If the length is known, one buffer of that length is allocated, so that the body is never in memory twice.
    return contentLength > 0
      ? await readKnownLength(request, Buffer.allocUnsafeSlow(contentLength))
      : await readChunks(request, limit)
  } finally {
    clearTimeout(timer)
  }
}

async function readKnownLength(request: AsyncIterable<Buffer>, buffer: Buffer): Promise<Buffer> {
  let at = 0
  for await (const chunk of request) at += chunk.copy(buffer, at)
  return buffer
}

async function readChunks(request: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Returns a signal that aborts when the client disconnects before the end of the reply, so that its work can be
 * stopped.
 */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => response.writableFinished || controller.abort())
  return controller.signal
}

export const tooLarge = () => new HttpError(413, 'payload_too_large', 'That is too large')

/**
 * Reads a whole number between `min` and `max` from the query; `fallback` if it is missing. Throws 400 for other
 * values.
 */
export function integer(query: URLSearchParams, name: string, min: number, max: number, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  const value = Number(text)
  if (!/^\d{1,10}$/.test(text) || value < min || value > max) throw invalid(name)
  return value
}
