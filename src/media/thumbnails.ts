// Serves thumbnails of images and frames of videos: from R2, or rendered at the first request.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import { unavailable } from './container.ts'
import { negotiateFormat } from './content-negotiation.ts'
import type { PreviewRequest, Thumbnail } from './contract.ts'
import type { ImageFormat } from './engines/engine.ts'
import { unreadyResponse } from './file-responses.ts'
import { findItem } from './items.ts'
import { download } from './r2-download.ts'
import { renditionKey } from './r2-keys.ts'
import type { RenditionRequest } from './renderer.ts'
import { schema } from './schema.ts'

/** Serves a thumbnail of an image. A stored thumbnail takes a single read from R2, without the database. */
export async function serveThumbnail(env: Env, request: Request, params: Thumbnail): Promise<Response> {
  if (params.f) return serveInFormat(params.f === 'jpg' ? 'jpeg' : params.f, env, request, params)
  const format = negotiateFormat(undefined, request.headers.get('accept'), undefined)
  const response = await serveInFormat(format, env, request, params).catch((error) => {
    // The preferred format needs the container, which is missing or down. The client did not demand the format, so the thumbnail is
    // served in the format of the image instead of 503.
    if (format && needsContainer(error)) return serveInFormat(undefined, env, request, params)
    throw error
  })
  response.headers.set('vary', 'Accept')
  return response
}

const needsContainer = (error: unknown) =>
  Failure.is(error) && (error.code === 'unavailable' || error.code === 'not_configured')

async function serveInFormat(
  format: ImageFormat | undefined,
  env: Env,
  request: Request,
  params: Thumbnail,
): Promise<Response> {
  const { digest, w, h, m } = params
  const name = `${sizeName(params)}.${format ?? 'own'}`
  const stored = await download(request, env.FILES, renditionKey(digest, name))
  return stored ?? makeAndServe(env, request, digest, name, { of: 'image', w, h, m, format })
}

/** Serves a frame of a video as a JPEG. */
export async function servePreview(env: Env, request: Request, params: PreviewRequest): Promise<Response> {
  const { digest, w, h, m } = params
  const t = params.t === undefined ? undefined : Math.floor(params.t * 1000) / 1000
  // Only names of video frames contain an @. A frame and a thumbnail of an image thus never have the same name.
  const name = `${sizeName(params)}@${t ?? ''}.jpeg`
  const stored = await download(request, env.FILES, renditionKey(digest, name))
  return stored ?? makeAndServe(env, request, digest, name, { of: 'video', w, h, m, t })
}

/**
 * Larger values of `w` and `h` have the same result, since no rendition is larger. Their names are the same too, so that a client
 * cannot create a new object for each number.
 */
const maxNamedSide = 65_536

const sizeName = ({ w, h, m }: Pick<Thumbnail, 'w' | 'h' | 'm'>) =>
  [w, h].map((side) => (side === undefined ? '' : Math.min(side, maxNamedSide))).join('x') + m

async function makeAndServe(
  env: Env,
  request: Request,
  digest: string,
  name: string,
  rendition: RenditionRequest,
): Promise<Response> {
  const item = await findItem(open(env, schema), digest, rendition.of)
  const notReady = unreadyResponse(item)
  if (notReady) return notReady
  await env.RENDITIONS.getByName(digest).make(item, name, rendition)
  const response = await download(request, env.FILES, renditionKey(digest, name))
  if (response) return response
  // The rendition was deleted between its rendering and this read. If the item was deleted too, `findItem` throws 404; else the
  // limit of renditions was reached, and the client gets 503 to retry.
  await findItem(open(env, schema), digest, rendition.of)
  throw unavailable(undefined, 1)
}
