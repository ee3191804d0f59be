import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import { unavailable } from './container.ts'
import { negotiateFormat } from './content-negotiation.ts'
import type { PreviewRequest, Thumbnail } from './contract.ts'
import type { ImageFormat } from './engines/engine.ts'
import { unready } from './file-responses.ts'
import { findItem } from './items.ts'
import { download } from './r2-download.ts'
import { renditionKey } from './r2-keys.ts'
import type { RenditionRequest } from './renderer.ts'
import { schema } from './schema.ts'

/** An image in another size. What was made before needs nothing but R2. */
export async function serveThumbnail(env: Env, request: Request, asked: Thumbnail): Promise<Response> {
  if (asked.f) return serveIn(asked.f === 'jpg' ? 'jpeg' : asked.f, env, request, asked)
  const format = negotiateFormat(undefined, request.headers.get('accept'), undefined)
  const response = await serveIn(format, env, request, asked).catch((error) => {
    // What the client would rather have is no reason to give it nothing.
    if (format && isForWant(error)) return serveIn(undefined, env, request, asked)
    throw error
  })
  response.headers.set('vary', 'Accept')
  return response
}

const isForWant = (error: unknown) =>
  Failure.is(error) && (error.code === 'unavailable' || error.code === 'not_configured')

async function serveIn(
  format: ImageFormat | undefined,
  env: Env,
  request: Request,
  asked: Thumbnail,
): Promise<Response> {
  const { digest, w, h, m } = asked
  const name = `${sizeName(asked)}.${format ?? 'own'}`
  const made = await download(request, env.FILES, renditionKey(digest, name))
  return made ?? make(env, request, digest, name, { of: 'image', w, h, m, format })
}

/** A frame of a video. */
export async function servePreview(env: Env, request: Request, asked: PreviewRequest): Promise<Response> {
  const { digest, w, h, m } = asked
  const t = asked.t === undefined ? undefined : Math.floor(asked.t * 1000) / 1000
  // An image has none with an @.
  const name = `${sizeName(asked)}@${t ?? ''}.jpeg`
  const made = await download(request, env.FILES, renditionKey(digest, name))
  return made ?? make(env, request, digest, name, { of: 'video', w, h, m, t })
}

/** Sides past the largest one mean the same as that. */
const most = 65_536

const sizeName = ({ w, h, m }: Pick<Thumbnail, 'w' | 'h' | 'm'>) =>
  [w, h].map((side) => (side === undefined ? '' : Math.min(side, most))).join('x') + m

async function make(
  env: Env,
  request: Request,
  digest: string,
  name: string,
  asked: RenditionRequest,
): Promise<Response> {
  const item = await findItem(open(env, schema), digest, asked.of)
  const refusal = unready(item)
  if (refusal) return refusal
  await env.RENDITIONS.getByName(digest).make(item, name, asked)
  const response = await download(request, env.FILES, renditionKey(digest, name))
  if (response) return response
  // Removed since it was made: with its item, or to make room.
  await findItem(open(env, schema), digest, asked.of)
  throw unavailable(undefined, 1)
}
