// Prepares the attachments of a mail: base64 from the request, or files of the media component, which are streamed while the
// mail is sent, without filling the memory.
import { detectMimeType } from 'nodemailer/lib/mime-funcs'
import { Failure, invalid } from '#core/failure'
import { fetchPeer } from '#core/outgoing/peer'
import { sizeOfBase64, toBase64Lines, wrapBase64 } from './base64.ts'
import type { Env } from './bindings.ts'
import type { Attachment } from './contract.ts'
import { failure } from './errors.ts'

/** An attachment or inline picture of a mail. */
export interface MimePart {
  filename: string
  contentType: string
  cid: string | undefined
  /** Size of the file in bytes. */
  size: number
  /** Reads the file as lines of base64. Each call reads the file again: once for DKIM, once for SMTP. */
  lines(): Iterable<string> | AsyncIterable<string>
}

/** Maximum size of all files of a mail, in bytes. Common mail servers accept no larger mails. */
const maxTotalBytes = 25_000_000

/**
 * Prepares the attachments of a mail without reading them. Throws 400 if the media component does not have a file, 413 if the
 * files are larger than `maxTotalBytes` together.
 */
export async function attachmentsOf(env: Env, attachments: Attachment[]): Promise<MimePart[]> {
  const parts = await Promise.all(attachments.map((attachment, position) => partOf(env, attachment, position)))
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  if (size > maxTotalBytes)
    throw failure(
      'payload_too_large',
      `The attachments must have at most ${maxTotalBytes} bytes together, got ${size}.`,
    )
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

/** Replaces the types `multipart/*` and `message/*`, which must not be encoded as base64 (RFC 2046, section 5.2). */
const encodable = (type: string) => (/^(multipart|message)\//i.test(type) ? 'application/octet-stream' : type)

/**
 * Timeout for reading a whole file. It is longer than an SMTP session, because the file is read only as fast as the SMTP server
 * accepts it.
 */
const readTimeoutMs = 120_000

async function* readFile(env: Env, digest: string, position: number): AsyncGenerator<Uint8Array> {
  const { body } = await askMedia(env, digest, position, { signal: AbortSignal.timeout(readTimeoutMs) })
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

// `undone` states that nothing was sent: a server discards a message that breaks off. The idempotency key can be used again.
const mediaFailed = (what: string, cause?: unknown) =>
  failure('media_failed', `The media component ${what}.`, { undone: true, cause })
