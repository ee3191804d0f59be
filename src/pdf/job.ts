// A print job for the Chromium container: its parameters, its JSON, and its digest, which is the cache key.
import type { PostRequest } from './contract.ts'

/** A job for the container. The schema orders the keys, so that equal jobs have identical JSON: its digest is the key of the cache. */
export type PrintJob = Omit<PostRequest, 'html_link' | 'filename' | 'store'> & { link?: string | undefined }

/** The parameters that the printed bytes depend on: all but the file name and the name to store under. */
export function jobOf({ html, html_link, filename: _, store: __, ...options }: PostRequest): PrintJob {
  return html ? { ...options, html } : { ...options, link: html_link }
}

const chunkLength = 65_536

/** Encodes a job as JSON in chunks, so that 16 MB of HTML are never in memory twice. */
export function* jsonChunks({ html, ...rest }: PrintJob): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  const json = JSON.stringify(rest)
  if (html === undefined) return yield encoder.encode(json)
  yield encoder.encode(`${json.slice(0, -1)},"html":"`)
  // JSON.stringify escapes the halves of a surrogate pair that a chunk boundary splits; a parser joins them again.
  for (let at = 0; at < html.length; at += chunkLength)
    yield encoder.encode(JSON.stringify(html.slice(at, at + chunkLength)).slice(1, -1))
  yield encoder.encode('"}')
}

/** Streams a job as a request body. A failed write only means that the container stopped reading, so it is ignored. */
export function jobStream(job: PrintJob): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream()
  write(jsonChunks(job), writable).catch(() => undefined)
  return readable
}

async function write(chunks: Iterable<Uint8Array>, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter()
  for (const chunk of chunks) await writer.write(chunk)
  await writer.close()
}

/** SHA-256 of a job in hexadecimal: the cache key. */
export async function jobDigest(job: PrintJob): Promise<string> {
  const stream = new crypto.DigestStream('SHA-256')
  await write(jsonChunks(job), stream)
  return new Uint8Array(await stream.digest).toHex()
}
