// Serves an object of R2 over HTTP, with conditional requests and ranges. file-responses.ts adds the headers of an item.
import fresh from 'fresh'
import { type ByteRange, parseRangeHeader } from './range-header.ts'

/**
 * Replies to a GET or HEAD with validators, conditional requests and ranges (RFC 9110, sections 13 and 14). Returns undefined if the
 * object does not exist.
 */
export async function download(request: Request, files: R2Bucket, key: string): Promise<Response | undefined> {
  // A POST (`POST /video/{digest}/preview`) ignores conditions and ranges, which RFC 9110 defines for GET and HEAD.
  const { method, headers } = request
  if (method === 'HEAD' || (method === 'GET' && isConditional(headers)))
    return downloadConditionally(request, files, key)
  const object = await files.get(key)
  if (!object) return undefined
  return new Response(object.body, {
    headers: { ...objectHeaders(object), ...caching, 'content-length': String(object.size) },
  })
}

const conditionalHeaders = ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since']

const isConditional = (headers: Headers) => conditionalHeaders.some((name) => headers.has(name))

/** Replies with 206, 304, 412 or 416 if the headers of the request demand it. */
async function downloadConditionally(request: Request, files: R2Bucket, key: string): Promise<Response | undefined> {
  const head = await files.head(key)
  if (!head) return undefined
  const headers: Record<string, string> = objectHeaders(head)
  if (preconditionFails(request.headers, head)) return new Response(null, { status: 412, headers })
  if (fresh(Object.fromEntries(request.headers), { etag: head.httpEtag, 'last-modified': modified(head) }))
    return new Response(null, { status: 304, headers: { ...headers, ...caching } })
  const isGet = request.method === 'GET'
  const range =
    isGet && ifRangeMatches(request.headers, head)
      ? parseRangeHeader(request.headers.get('range'), head.size)
      : undefined
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${head.size}` } })
  const { offset, length } = range ?? { offset: 0, length: head.size }
  const status = range ? 206 : 200
  Object.assign(headers, caching, {
    'content-length': String(length),
    ...(range && { 'content-range': contentRange(range, head) }),
  })
  // The reply to HEAD has the `Content-Length` that is set above, since there is no body from which the runtime could derive it.
  if (!isGet) return new Response(null, { status, headers })
  // Reads only the version that `head` described. The object may have been deleted or replaced since, and the reply must not mix
  // the headers of one version with the bytes of another.
  const object = await files.get(key, {
    onlyIf: { etagMatches: head.etag },
    ...(length > 0 && { range: { offset, length } }),
  })
  return object && 'body' in object ? new Response(object.body, { status, headers }) : undefined
}

const contentRange = ({ offset, length }: ByteRange, { size }: R2Object) =>
  `bytes ${offset}-${offset + length - 1}/${size}`

/** Headers of successful replies. An error has none of them, because it must not be cached. */
const caching = { 'cache-control': 'public, max-age=3600' }

const objectHeaders = (object: R2Object): Record<string, string> => {
  const { contentType, contentDisposition } = object.httpMetadata ?? {}
  return {
    'accept-ranges': 'bytes',
    etag: object.httpEtag,
    'last-modified': modified(object),
    'x-content-type-options': 'nosniff',
    ...(contentType && { 'content-type': contentType }),
    ...(contentDisposition && { 'content-disposition': contentDisposition }),
  }
}

const modified = ({ uploaded }: R2Object) => uploaded.toUTCString()

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Whether `If-Match` or `If-Unmodified-Since` does not hold. */
function preconditionFails(headers: Headers, { httpEtag, uploaded }: R2Object): boolean {
  const match = headers.get('if-match')
  if (match !== null) return match.trim() !== '*' && !match.split(',').some((tag) => tag.trim() === httpEtag)
  const since = Date.parse(headers.get('if-unmodified-since') ?? '')
  return !Number.isNaN(since) && seconds(uploaded) * 1000 > since
}

/** Whether `If-Range`, if present, matches this version of the object. */
function ifRangeMatches(headers: Headers, object: R2Object): boolean {
  const condition = headers.get('if-range')
  return condition === null || condition === object.httpEtag || condition === modified(object)
}
