// What comes in over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, invalid } from './http-error.ts'

/** A body that takes longer than this to arrive holds a place that others want. */
const patience = 60_000

/** All of a body; 413 past so many bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge()
  const timer = setTimeout(() => request.destroy(), patience)
  try {
    // Of one piece where its length is known, so that it is never held twice.
    return announced > 0 ? await fill(request, Buffer.allocUnsafeSlow(announced)) : await gather(request, limit)
  } finally {
    clearTimeout(timer)
  }
}

async function fill(request: AsyncIterable<Buffer>, whole: Buffer): Promise<Buffer> {
  let at = 0
  for await (const chunk of request) at += chunk.copy(whole, at)
  return whole
}

async function gather(request: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Aborts when the caller is gone before the reply is. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => response.writableFinished || gone.abort())
  return gone.signal
}

export const tooLarge = () => new HttpError(413, 'payload_too_large', 'That is too large')

/** An integer of the query, from `least` to `most`. */
export function integer(query: URLSearchParams, name: string, least: number, most: number, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  const value = Number(text)
  if (!/^\d{1,10}$/.test(text) || value < least || value > most) throw invalid(name)
  return value
}
