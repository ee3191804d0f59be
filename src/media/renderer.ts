// Renders thumbnails of images and frames of videos, and stores them in R2. The durable object Renditions calls it.
import { invalid } from '#core/failure'
import { requireContainer, unavailable } from './container.ts'
import type { EncodedImage, ImageFormat, ImageSource, RenderPlan } from './engines/engine.ts'
import { engineFor } from './engines/engine-choice.ts'
import type { StorageEnv } from './env.ts'
import { positiveVariable } from './env.ts'
import { failure, missing } from './errors.ts'
import { disposition } from './file-responses.ts'
import { extractFramePackets } from './frame-excerpt.ts'
import { colourModelOf, readColourProfile } from './headers/colour-profile.ts'
import { withoutMetadata } from './headers/metadata.ts'
import { readHeader } from './image-header.ts'
import { imageInMemory, imageMediaTypes, storedImage } from './image-sources.ts'
import type { Item } from './items.ts'
import { previewKey, renditionKey, videoKey } from './r2-keys.ts'
import { openR2File } from './random-access.ts'
import { planThumbnail } from './render-plan.ts'

/** Default of UPLOAD_MAX_DIMENSION: maximum length of the longer side of a rendition, in pixels. */
const defaultMaxDimension = 4096

interface RenditionSize {
  w?: number | undefined
  h?: number | undefined
  m: 'r' | 'c'
}

/** A rendition of an image, in the format of the image by default, or of a frame of a video at `t` seconds. */
export type RenditionRequest = RenditionSize &
  ({ of: 'image'; format?: ImageFormat | undefined } | { of: 'video'; t?: number | undefined })

/** Renders an item and stores the result in R2 under a name. Throws 404 if the file of the item was deleted. */
export async function makeRendition(
  env: StorageEnv,
  item: Item,
  name: string,
  request: RenditionRequest,
): Promise<void> {
  const source = request.of === 'image' ? storedImage(env.FILES, item) : await frameOf(env, item, request.t)
  const format = (request.of === 'image' ? request.format : 'jpeg') ?? source.header.format
  const maxDimension = item.max_dimension ?? positiveVariable(env, 'UPLOAD_MAX_DIMENSION', defaultMaxDimension)
  const plan = planThumbnail(
    source.header,
    request,
    request.of === 'image' ? maxDimension : defaultMaxDimension,
    format,
  )
  const rendered = await engineFor(env, source.header, source.size, format).render(source, plan)
  const image = await smallerOf(rendered, source, plan)
  const storedFormat = image.format ?? format
  await env.FILES.put(renditionKey(item.digest, name), image, {
    httpMetadata: {
      contentType: imageMediaTypes[storedFormat],
      contentDisposition: shortDisposition(item, storedFormat),
    },
  })
}

/**
 * Returns the original without its metadata in place of the rendition, if that is smaller. Both must look the same, so the size and
 * the format must be equal, and the original must be in sRGB, as renditions are.
 */
async function smallerOf(
  rendition: EncodedImage,
  { header, size, bytes }: ImageSource,
  plan: RenderPlan,
): Promise<EncodedImage> {
  const isSame =
    plan.format === header.format &&
    plan.orientation === 1 &&
    (plan.crop === undefined || (plan.crop.width === header.width && plan.crop.height === header.height)) &&
    plan.width === header.width &&
    plan.height === header.height
  if (!isSame || !(rendition instanceof Uint8Array) || rendition.length <= size) return rendition
  const file = await bytes()
  const isSrgb = colourModelOf(file, header.format) !== 'cmyk' && readColourProfile(file, header.format) === undefined
  return (isSrgb && withoutMetadata(file, header.format)) || rendition
}

const extensions: Record<ImageFormat, string> = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' }

/**
 * Returns the header Content-Disposition with at most 100 characters of the name: R2 stores the header as metadata of the object,
 * which it limits to 2 KB.
 */
const shortDisposition = ({ name }: Item, format: ImageFormat) =>
  disposition([...name].slice(0, 100).join(''), extensions[format])

/**
 * Returns a frame of a video as an image: the one at `t` seconds, or without `t` the default frame, which was chosen and stored at
 * the transcoding.
 */
async function frameOf(env: StorageEnv, item: Item, t: number | undefined): Promise<ImageSource> {
  const bytes = t === undefined ? await defaultFrame(env, item) : await frameAt(env, item, t)
  const header = readHeader(bytes)
  if (header === undefined || header === 'more') throw new Error('The frame is not an image')
  return imageInMemory(bytes, header)
}

async function defaultFrame({ FILES }: StorageEnv, { digest }: Item): Promise<Uint8Array<ArrayBuffer>> {
  const stored = await FILES.get(previewKey(digest))
  if (!stored) throw missing('video')
  return new Uint8Array(await stored.arrayBuffer())
}

const frameTimeoutMs = 30_000

/**
 * Extracts the packets of one frame from the mp4, and sends them to the container, which decodes the frame. The container thus
 * never gets the whole video.
 */
async function frameAt(env: StorageEnv, { digest, size, duration }: Item, t: number): Promise<Uint8Array<ArrayBuffer>> {
  if (duration !== null && t >= duration)
    throw invalid('t', `Must be below the duration of the video, ${duration} seconds`)
  const container = requireContainer(env)
  const excerpt = await extractFramePackets(openR2File(env.FILES, videoKey(digest), size), t)
  const signal = AbortSignal.timeout(frameTimeoutMs)
  const response = await container.fetch(`/frame?t=${excerpt.t}`, { method: 'POST', body: excerpt.bytes, signal })
  if (response.ok) return new Uint8Array(await response.arrayBuffer())
  await response.body?.cancel()
  if (response.status === 503) throw unavailable()
  throw failure('media_container_failed', 'The media container returned no frame.')
}
