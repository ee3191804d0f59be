import fresh from 'fresh'
import { type ByteRange, parseRangeHeader } from './range-header.ts'

/**
 * An object of R2 as the reply to a GET or HEAD, with its validators, ranges and conditions (RFC 9110, 13 and 14);
 * nothing where there is no such object.
 */
export async function download(request: Request, files: R2Bucket, key: string): Promise<Response | undefined> {
  // A POST for the same has no conditions and no ranges.
  const { method, headers } = request
  if (method === 'HEAD' || (method === 'GET' && isSelective(headers))) return select(request, files, key)
  const object = await files.get(key)
  if (!object) return undefined
  return new Response(object.body, { headers: { ...about(object), ...keeping, 'content-length': String(object.size) } })
}

const selectors = ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since']

const isSelective = (headers: Headers) => selectors.some((name) => headers.has(name))

/** The reply where it may be something else than all of the object. */
async function select(request: Request, files: R2Bucket, key: string): Promise<Response | undefined> {
  const head = await files.head(key)
  if (!head) return undefined
  const headers: Record<string, string> = about(head)
  if (isFailed(request.headers, head)) return new Response(null, { status: 412, headers })
  if (fresh(Object.fromEntries(request.headers), { etag: head.httpEtag, 'last-modified': modified(head) }))
    return new Response(null, { status: 304, headers: { ...headers, ...keeping } })
  const isGet = request.method === 'GET'
  const range =
    isGet && isCurrent(request.headers, head) ? parseRangeHeader(request.headers.get('range'), head.size) : undefined
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${head.size}` } })
  const { offset, length } = range ?? { offset: 0, length: head.size }
  const status = range ? 206 : 200
  Object.assign(headers, keeping, {
    'content-length': String(length),
    ...(range && { 'content-range': contentRange(range, head) }),
  })
  // A body of no bytes tells a HEAD's reply nothing: its length is said by hand.
  if (!isGet) return new Response(null, { status, headers })
  // The bytes of just this version: between the two reads it may have gone.
  const object = await files.get(key, {
    onlyIf: { etagMatches: head.etag },
    ...(length > 0 && { range: { offset, length } }),
  })
  return object && 'body' in object ? new Response(object.body, { status, headers }) : undefined
}

const contentRange = ({ offset, length }: ByteRange, { size }: R2Object) =>
  `bytes ${offset}-${offset + length - 1}/${size}`

/** Not of a refusal: it is none of the next request. */
const keeping = { 'cache-control': 'public, max-age=3600' }

const about = (object: R2Object): Record<string, string> => {
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

/** Whether a condition that must hold does not. */
function isFailed(headers: Headers, { httpEtag, uploaded }: R2Object): boolean {
  const match = headers.get('if-match')
  if (match !== null) return match.trim() !== '*' && !match.split(',').some((tag) => tag.trim() === httpEtag)
  const since = Date.parse(headers.get('if-unmodified-since') ?? '')
  return !Number.isNaN(since) && seconds(uploaded) * 1000 > since
}

/** Whether the range that is asked for belongs to this version. */
function isCurrent(headers: Headers, object: R2Object): boolean {
  const condition = headers.get('if-range')
  return condition === null || condition === object.httpEtag || condition === modified(object)
}
