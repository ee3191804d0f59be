// Handles the HTTP requests of tus, the protocol of resumable uploads. tus-upload.ts stores the bytes.
import { Failure, invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import { type ItemKind, itemKinds, Metadata } from './contract/uploads.ts'
import { newDigest } from './digest.ts'
import { digestPrefixOf, positiveVariable } from './env.ts'
import { failure } from './errors.ts'
import { limitsFor, maxUploadBytes, tooLarge } from './limits.ts'
import { drainBody } from './request-body.ts'
import type { UploadState } from './tus-upload.ts'

// The version of tus and its optional extensions that this server supports. Clients read both before they upload
// (https://tus.io/protocols/resumable-upload).

const version = '1.0.0'
/** Default of UPLOAD_LIFETIME: seconds after which an unfinished upload is deleted, a day. */
const defaultLifetimeSeconds = 86_400

const mediaType = 'application/offset+octet-stream'

/** Request headers of tus clients. Pages of other origins can send them only because the replies to preflight requests list them. */
export const tusRequestHeaders = [
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
]

/** Reply headers of tus. Scripts of other origins can read them only because the CORS headers list them. */
export const tusHeaders = ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Upload-Metadata', 'Media-Digest'] // biome-ignore format: one line

/** Replies with the protocol version, the extensions and the maximum size of an upload, in headers. */
export const describeTus = (env: Env): Response =>
  tusReply(204, {
    'tus-version': version,
    'tus-extension': 'creation,creation-with-upload,expiration,termination',
    'tus-max-size': String(Math.max(...itemKinds.map((kind) => maxUploadBytes(env, kind)))),
  })

/** Creates an upload. The request body may have the first bytes of the file. */
export async function createUpload(env: Env, request: Request, base: string): Promise<Response> {
  return withTusVersion(request, async () => {
    const size = lengthOf(request)
    const { kind, scope, filename, said } = metadataOf(request)
    const { maxSize } = limitsFor(env, kind, scope)
    if (size > maxSize) throw tooLarge(maxSize)
    const digest = newDigest(digestPrefixOf(env))
    const expires = Date.now() + positiveVariable(env, 'UPLOAD_LIFETIME', defaultLifetimeSeconds) * 1000
    const upload = env.TUS_UPLOAD.getByName(digest)
    const metadata = request.headers.get('upload-metadata') ?? ''
    await upload.create({ digest, kind, scope, filename, said, size, expires, metadata })
    const hasBytes = request.headers.get('content-type') === mediaType
    const state = await (hasBytes ? upload.append(0, request.body) : upload.state()).catch((error) => {
      // All bytes arrived with the creation, but the container that must check them is down. The reply is still 201: the client
      // needs the location, and its next request creates the item.
      if (Failure.is(error) && error.code === 'unavailable') return { offset: size, expires }
      throw error
    })
    return tusReply(201, { location: `${base}/tus/${digest}`, ...progressHeaders(state) })
  })
}

/** Replies with the offset of an upload. */
export const findUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    const state = await env.TUS_UPLOAD.getByName(digest).state()
    return tusReply(200, {
      ...progressHeaders(state),
      'upload-length': String(state.length),
      ...(state.metadata && { 'upload-metadata': state.metadata }),
      'cache-control': 'no-store',
    })
  })

/** Appends bytes to an upload. The last bytes create the item. */
export const appendToUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    if (request.headers.get('content-type') !== mediaType)
      throw failure('unsupported_media_type', `Content-Type must be ${mediaType}.`)
    const offset = numberOf(request, 'upload-offset')
    return tusReply(204, progressHeaders(await env.TUS_UPLOAD.getByName(digest).append(offset, request.body)))
  })

/** Deletes an upload. */
export const terminateUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    await env.TUS_UPLOAD.getByName(digest).terminate()
    return tusReply(204)
  })

const methods = { PATCH: appendToUpload, DELETE: terminateUpload, HEAD: findUpload }

/** Handles a POST as the method in `X-HTTP-Method-Override`, for clients behind proxies that allow only GET and POST. */
export function overrideUpload(env: Env, request: Request, digest: string): Promise<Response> {
  const method = request.headers.get('x-http-method-override')?.toUpperCase() ?? ''
  if (!Object.hasOwn(methods, method))
    return withTusVersion(request, () =>
      Promise.reject(invalid('X-HTTP-Method-Override', 'Must be PATCH, DELETE or HEAD')),
    )
  return methods[method as keyof typeof methods](env, request, digest)
}

/** Adds the header `Tus-Resumable` to the reply. A client with another version of the protocol gets 412, as tus demands. */
async function withTusVersion(request: Request, handle: () => Promise<Response>): Promise<Response> {
  if (request.headers.get('tus-resumable') !== version) {
    await drainBody(request.body)
    return tusReply(412, { 'tus-version': version })
  }
  try {
    return await handle()
  } catch (error) {
    await drainBody(request.body)
    if (Failure.is(error)) Object.assign(error.headers, { 'tus-resumable': version })
    throw error
  }
}

const tusReply = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'tus-resumable': version, ...headers } })

const progressHeaders = ({ offset, expires, digest }: Pick<UploadState, 'offset' | 'expires' | 'digest'>) => ({
  'upload-offset': String(offset),
  'upload-expires': new Date(expires).toUTCString(),
  ...(digest && { 'media-digest': digest }),
})

function lengthOf(request: Request): number {
  if (request.headers.has('upload-defer-length'))
    throw invalid('Upload-Defer-Length', 'Must not be given: the length must be known')
  return numberOf(request, 'upload-length')
}

function numberOf({ headers }: Request, name: string): number {
  const text = headers.get(name) ?? ''
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, 'Must be a whole number of bytes with at most 15 digits')
  return Number(text)
}

const metadataRule = `Must have a kind that is one of ${itemKinds.join(', ')}, a filename of at most 4096 characters and a filetype of at most 255`

function metadataOf({ headers }: Request): {
  kind: ItemKind
  scope: string | undefined
  filename: string
  said: string
} {
  const pairs = (headers.get('upload-metadata') ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [key = '', value = ''] = pair.split(/ +/)
      return [key, textOf(value)] as const
    })
  const metadata = Metadata.safeParse(Object.fromEntries(pairs))
  if (!metadata.success) throw invalid('Upload-Metadata', metadataRule)
  const { kind, scope, filename, filetype: said } = metadata.data
  return { kind, scope, filename, said }
}

function textOf(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
    )
  } catch {
    throw invalid('Upload-Metadata', 'Must have values in base64 of UTF-8')
  }
}
