import { detectMimeType } from 'nodemailer/lib/mime-funcs'
import { Failure, invalid } from '#core/failure'
import { fetchPeer } from '#core/outgoing/peer'
import { sizeOfBase64, toBase64Lines, wrapBase64 } from './base64.ts'
import type { Env } from './bindings.ts'
import type { Attachment } from './contract.ts'
import { failure } from './errors.ts'

/** A file in a message. */
export interface MimePart {
  filename: string
  contentType: string
  cid: string | undefined
  /** Bytes. */
  size: number
  /** Its bytes as lines of base64, each time anew. */
  lines(): Iterable<string> | AsyncIterable<string>
}

/** The most bytes that the files of a message have together: what the usual servers take, and what a request can carry. */
const mostBytes = 25_000_000

/** The files of a mail, none of them read yet. 400 where one is not there, 413 where they are too large together. */
export async function partsOf(env: Env, attachments: Attachment[]): Promise<MimePart[]> {
  const parts = await Promise.all(attachments.map((attachment, position) => partOf(env, attachment, position)))
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  if (size > mostBytes)
    throw failure('payload_too_large', `The attachments must have at most ${mostBytes} bytes together, got ${size}.`)
  return parts
}

async function partOf(env: Env, attachment: Attachment, position: number): Promise<MimePart> {
  const { filename, cid, content, digest = '', content_type } = attachment
  const own = { filename, cid, contentType: content_type ?? typeOf(filename) }
  if (content !== undefined) return { ...own, size: sizeOfBase64(content), lines: () => wrapBase64(content) }
  const { headers } = await askMedia(env, digest, position, { method: 'HEAD' })
  return {
    ...own,
    contentType: content_type ?? encodable(headers.get('content-type') ?? own.contentType),
    size: Number(headers.get('content-length') ?? 0),
    lines: () => toBase64Lines(readFile(env, digest, position)),
  }
}

const typeOf = (filename: string) => encodable(detectMimeType(filename))

/** Of what must not be encoded (RFC 2046, section 5.2) nothing is said but that it is bytes. */
const encodable = (type: string) => (/^(multipart|message)\//i.test(type) ? 'application/octet-stream' : type)

/** Milliseconds for a whole file, which is read as fast as the SMTP server takes it: longer than that is given. */
const patience = 120_000

async function* readFile(env: Env, digest: string, position: number): AsyncGenerator<Uint8Array> {
  const { body } = await askMedia(env, digest, position, { signal: AbortSignal.timeout(patience) })
  try {
    yield* (body ?? []) as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw mediaFailed('broke off', cause)
  }
}

async function askMedia(env: Env, digest: string, position: number, init?: RequestInit): Promise<Response> {
  const response = await fetchPeer({ ...env }, 'media', `/file/${digest}`, init).catch((cause: unknown) => {
    if (Failure.is(cause)) throw cause
    throw mediaFailed('could not be reached', cause)
  })
  if (response.status === 200) return response
  await response.body?.cancel()
  if (response.status === 404)
    throw invalid(`attachments.${position}.digest`, 'Must be the digest of a file of the media component.')
  throw mediaFailed(`answered with ${response.status}`)
}

// No server takes a message for complete that breaks off, so that nothing was sent even where it had begun.
const mediaFailed = (what: string, cause?: unknown) =>
  failure('media_failed', `The media component ${what}.`, { undone: true, cause })
