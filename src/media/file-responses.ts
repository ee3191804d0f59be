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

/** An item's bytes; 404 where there is none of that kind. */
export async function serveFile(env: StorageEnv, request: Request, digest: string, kind?: ItemKind): Promise<Response> {
  // Both at once: the row decides, and most digests are those of files.
  const found = download(request, env.FILES, fileKey(digest))
  const item = await findItem(open(env, schema), digest, kind).catch(async (error) => {
    await discard(found)
    throw error
  })
  if (item.kind !== 'video') return named(await found, item)
  await discard(found)
  return serveReady(env, request, item)
}

/** A video's mp4; 202 while it is not ready, 422 where it cannot be. */
export const serveVideo = async (env: StorageEnv, request: Request, digest: string): Promise<Response> =>
  serveReady(env, request, await findItem(open(env, schema), digest, 'video'))

async function serveReady(env: StorageEnv, request: Request, item: Item): Promise<Response> {
  const refusal = unready(item)
  return refusal ?? named(await download(request, env.FILES, videoKey(item.digest)), item)
}

/** What a video that is not ready answers to who wants something of it. */
export function unready({ state, failure }: Item): Response | undefined {
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

/** The reply with what the item is, and what keeps a browser from running it. */
function named(response: Response | undefined, { kind, name, extension, mimetype, charset }: Item): Response {
  if (!response) throw missing(kind)
  response.headers.set('content-type', charset ? `${mimetype}; charset=${charset}` : mimetype)
  response.headers.set('content-disposition', disposition(name, extension))
  if (!harmless.test(mimetype)) response.headers.set('content-security-policy', 'sandbox')
  return response
}

/** `inline`, with the name as RFC 8187 writes it. */
export const disposition = (name: string, extension: string) =>
  contentDisposition(extension ? `${name}.${extension}` : name, { type: 'inline' })

/** What no browser runs a script of. Everything else may be a page to one, or become one. */
const harmless = /^(image\/(?!svg)|audio\/|video\/|application\/pdf$|text\/plain$)/
