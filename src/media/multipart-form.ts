// Reads the multipart/form-data body of an upload as a stream, so that the file is never in memory as a whole.
import type { Readable } from 'node:stream'
import Busboy, { type BusboyInstance as Parser } from '@fastify/busboy'
import { invalid } from '#core/failure'
import { failure } from './errors.ts'
import { type ChunkReader, drain } from './request-body.ts'

/** The file of a form. Its bytes are still arriving. */
export interface FormFile {
  filename: string
  /** Media type that the client sent with the file. */
  declaredType: string
  bytes: AsyncIterable<Uint8Array>
}

/** The form fields that this component reads. Others are ignored. */
interface Fields {
  scope?: string
}

const limits = { fieldSize: 1_000, fields: 20, files: 10, parts: 30, headerPairs: 20, headerSize: 8_192 }

/**
 * Reads a `multipart/form-data` body (RFC 7578) as a stream. `take` gets the file `file` and the fields that precede it. Throws 400
 * unless there is exactly one such file, or if the body ends early.
 */
export async function readForm<T>(
  request: Request,
  take: (file: FormFile, before: Fields) => Promise<T>,
): Promise<{ taken: T; fields: Fields }> {
  const form = parserOf(request)
  const fields: Fields = {}
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  let file: Readable | undefined
  let taking: Promise<T> | undefined
  form.on('error', (cause) => fail(broken(cause)))
  form.on('field', (name, value, _, isTruncated) => {
    if (name === 'scope' && isTruncated) fail(invalid('scope', `Must be at most ${limits.fieldSize} bytes long`))
    if (name === 'scope') fields.scope = value
  })
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) form.on(limit, () => fail(tooMany()))
  form.on('file', (name, bytes, filename, _, declaredType) => {
    // A body that ends early emits an error on each of its files, which Node would throw if nothing listened. The parser emits the
    // same error, and `fail` reports that one.
    bytes.on('error', () => undefined)
    if (name !== 'file') return bytes.resume()
    if (taking) return fail(invalid('file', 'Must be given only once'))
    file = bytes
    taking = take({ filename: nameOf(filename), declaredType, bytes }, { ...fields })
    taking.catch(fail)
  })
  const reader = byobReader(request.body!)
  try {
    await Promise.race([failed, feed(form, reader)])
    if (!taking) throw invalid('file', 'Is required')
    return { taken: await Promise.race([failed, taking]), fields }
  } catch (error) {
    file?.destroy()
    // Waits until `take` has stopped writing the rejected file, so that the cleanup of the caller deletes everything.
    await taking?.catch(() => undefined)
    await drain(reader)
    throw error
  }
}

const escaped: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** Decodes the three characters that browsers escape in a file name (HTML Standard, 4.10.21.8). */
const nameOf = (filename = '') => filename.replace(/%22|%0D|%0A/gi, (code) => escaped[code.toUpperCase()]!)

function parserOf(request: Request): Parser {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type) || !request.body)
    throw failure('unsupported_media_type', 'The body must be multipart/form-data, with the file as "file".')
  try {
    return Busboy({ headers: { 'content-type': type }, limits })
  } catch (cause) {
    throw broken(cause)
  }
}

const broken = (cause: unknown) =>
  failure('invalid_form', 'The body must be a complete multipart/form-data document.', { cause })

const tooMany = () =>
  failure('invalid_form', `The form must have at most ${limits.fields} fields and ${limits.parts} parts.`)

const readBytes = 64 * 1024

/** Creates a reader that returns 64 KB at a time. The runtime returns 4 KB by default, and each read has a fixed cost. */
function byobReader(body: ReadableStream): ChunkReader {
  const reader = body.getReader({ mode: 'byob' })
  let last: Promise<unknown> = Promise.resolve()
  return {
    // A BYOB reader allows one read at a time. After an error, `feed` may still have a pending read when `drain` starts to read.
    read: () => {
      const next = last.then(() => reader.readAtLeast(readBytes, new Uint8Array(readBytes)))
      last = next.catch(() => undefined)
      return next
    },
    cancel: () => reader.cancel(),
  }
}

/** Writes the body to the parser. Waits for the parser after each chunk (backpressure), so that the memory stays bounded. */
async function feed(form: Parser, reader: ChunkReader): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw broken(cause)
    })
    if (done) break
    await new Promise<void>((resolve, reject) =>
      form.write(value, (error) => (error ? reject(broken(error)) : resolve())),
    )
  }
  await new Promise<void>((resolve) => {
    form.on('finish', resolve)
    form.end()
  })
}
