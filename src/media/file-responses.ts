// Serves the content of items: the stored file, or the mp4 of a video, with its media type, file name and sandbox policy.
import { create as contentDisposition } from 'content-disposition'
import { open } from '#core/db/open'
import { reply } from '#core/http/reply'
import type { ItemKind } from './contract/uploads.ts'
import type { StorageEnv } from './env.ts'
import { failure as failed, missing } from './errors.ts'
import { findItem, type Item, type VideoFailure } from './items.ts'
import { download } from './r2-download.ts'
import { fileKey, videoKey } from './r2-keys.ts'
import { schema } from './schema.ts'

/** Serves the file of an item. Throws 404 if no item of that kind has the digest. */
export async function serveFile(env: StorageEnv, request: Request, digest: string, kind?: ItemKind): Promise<Response> {
  // Reads the item's row and the object in R2 concurrently, to save one round trip. If the row is missing, or is that of a video,
  // whose mp4 has another key, the object is discarded.
  const found = download(request, env.FILES, fileKey(digest))
  const item = await findItem(open(env, schema), digest, kind).catch(async (error) => {
    await discard(found)
    throw error
  })
  if (item.kind !== 'video') return withItemHeaders(await found, item)
  await discard(found)
  return serveReady(env, request, item)
}

/** Serves the mp4 of a video. Replies 202 while the video is processing; throws 422 if it has failed. */
export const serveVideo = async (env: StorageEnv, request: Request, digest: string): Promise<Response> =>
  serveReady(env, request, await findItem(open(env, schema), digest, 'video'))

async function serveReady(env: StorageEnv, request: Request, item: Item): Promise<Response> {
  const notReady = unreadyResponse(item)
  return notReady ?? withItemHeaders(await download(request, env.FILES, videoKey(item.digest)), item)
}

/**
 * Returns 202 `processing` for a video that is not transcoded yet, and undefined for an item that is ready. Throws 422 if the video
 * has failed.
 */
export function unreadyResponse({ state, failure }: Item): Response | undefined {
  if (state === 'ready') return undefined
  if (state === 'failed') throw failed('media_failed', reasons[failure ?? 'unreadable'])
  const body = { status: false, status_code: 'processing', message: 'The video is not ready yet.' }
  return reply(body, 202, { 'retry-after': '2', 'cache-control': 'no-store' })
}

const reasons: Record<VideoFailure, string> = {
  unreadable: 'The file has no video that can be decoded.',
  too_long: 'Transcoding the video takes longer than the media container allows.',
  too_large: 'Transcoding the video needs more disk space than the media container has.',
  out_of_memory: 'Transcoding the video needs more memory than the media container has.',
  killed: 'The media container was lost repeatedly while transcoding the video.',
}

const discard = async (found: Promise<Response | undefined>) => {
  const response = await found.catch(() => undefined)
  await response?.body?.cancel()
}

/**
 * Adds the media type and the file name of an item. A file that could run scripts also gets the policy `sandbox`: it would
 * otherwise run in the origin of the API.
 */
function withItemHeaders(response: Response | undefined, { kind, name, extension, mimetype, charset }: Item): Response {
  if (!response) throw missing(kind)
  response.headers.set('content-type', charset ? `${mimetype}; charset=${charset}` : mimetype)
  response.headers.set('content-disposition', disposition(name, extension))
  if (!scriptless.test(mimetype)) response.headers.set('content-security-policy', 'sandbox')
  return response
}

/** Returns `Content-Disposition: inline` with the file name encoded as in RFC 8187, so that names may have any characters. */
export const disposition = (name: string, extension: string) =>
  contentDisposition(extension ? `${name}.${extension}` : name, { type: 'inline' })

/** Media types in which browsers run no scripts. All others, such as HTML and SVG, get the policy `sandbox`. */
const scriptless = /^(image\/(?!svg)|audio\/|video\/|application\/pdf$|text\/plain$)/
