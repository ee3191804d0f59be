import { Failure, invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import { type ItemKind, itemKinds, Metadata } from './contract/uploads.ts'
import { newDigest } from './digest.ts'
import { digestPrefixOf, numberIn } from './env.ts'
import { failure } from './errors.ts'
import { limitsFor, maxUploadBytes, tooLarge } from './limits.ts'
import { skip } from './request-body.ts'
import type { UploadState } from './tus-upload.ts'

// tus 1.0.0, https://tus.io/protocols/resumable-upload, with creation, creation-with-upload, expiration and termination.

const version = '1.0.0'
const day = 86_400

const mediaType = 'application/offset+octet-stream'

/** What a browser's script may read of a reply. */
export const tusHeaders = ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Upload-Metadata', 'Media-Digest'] // biome-ignore format: one line

/** What the server can do. */
export const describeTus = (env: Env): Response =>
  answer(204, {
    'tus-version': version,
    'tus-extension': 'creation,creation-with-upload,expiration,termination',
    'tus-max-size': String(Math.max(...itemKinds.map((kind) => maxUploadBytes(env, kind)))),
  })

/** Begins an upload; its first bytes may come with it. */
export async function createUpload(env: Env, request: Request, base: string): Promise<Response> {
  return withTusVersion(request, async () => {
    const size = lengthOf(request)
    const { kind, scope, filename, said } = metadataOf(request)
    const { maxSize } = limitsFor(env, kind, scope)
    if (size > maxSize) throw tooLarge(maxSize)
    const digest = newDigest(digestPrefixOf(env))
    const expires = Date.now() + numberIn(env, 'UPLOAD_LIFETIME', day) * 1000
    const upload = env.TUS_UPLOAD.getByName(digest)
    const metadata = request.headers.get('upload-metadata') ?? ''
    await upload.create({ digest, kind, scope, filename, said, size, expires, metadata })
    const hasBytes = request.headers.get('content-type') === mediaType
    const state = await (hasBytes ? upload.append(0, request.body) : upload.state()).catch((error) => {
      // All of it is there, and is admitted when the client asks again: it must learn where.
      if (Failure.is(error) && error.code === 'unavailable') return { offset: size, expires }
      throw error
    })
    return answer(201, { location: `${base}/tus/${digest}`, ...told(state) })
  })
}

/** How far an upload is. */
export const findUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    const state = await env.TUS_UPLOAD.getByName(digest).state()
    return answer(200, {
      ...told(state),
      'upload-length': String(state.length),
      ...(state.metadata && { 'upload-metadata': state.metadata }),
      'cache-control': 'no-store',
    })
  })

/** Appends bytes to an upload; the last ones make it an item. */
export const appendToUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    if (request.headers.get('content-type') !== mediaType)
      throw failure('unsupported_media_type', `Content-Type must be ${mediaType}.`)
    const offset = numberOf(request, 'upload-offset')
    return answer(204, told(await env.TUS_UPLOAD.getByName(digest).append(offset, request.body)))
  })

/** Ends an upload. */
export const terminateUpload = (env: Env, request: Request, digest: string): Promise<Response> =>
  withTusVersion(request, async () => {
    await env.TUS_UPLOAD.getByName(digest).terminate()
    return answer(204)
  })

const overridden = { PATCH: appendToUpload, DELETE: terminateUpload, HEAD: findUpload }

/** A POST that stands for another method, from where that cannot be sent. */
export function overrideUpload(env: Env, request: Request, digest: string): Promise<Response> {
  const method = request.headers.get('x-http-method-override')?.toUpperCase() ?? ''
  if (!Object.hasOwn(overridden, method))
    return withTusVersion(request, () =>
      Promise.reject(invalid('X-HTTP-Method-Override', 'Must be PATCH, DELETE or HEAD')),
    )
  return overridden[method as keyof typeof overridden](env, request, digest)
}

/** Answers in the version that the client speaks; 412 where that is another. */
async function withTusVersion(request: Request, handle: () => Promise<Response>): Promise<Response> {
  if (request.headers.get('tus-resumable') !== version) {
    await skip(request.body)
    return answer(412, { 'tus-version': version })
  }
  try {
    return await handle()
  } catch (error) {
    await skip(request.body)
    if (Failure.is(error)) Object.assign(error.headers, { 'tus-resumable': version })
    throw error
  }
}

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'tus-resumable': version, ...headers } })

const told = ({ offset, expires, digest }: Pick<UploadState, 'offset' | 'expires' | 'digest'>) => ({
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
