import { invalid } from '#core/failure'
import { requireContainer, unavailable } from './container.ts'
import type { ImageFormat, ImageSource, Picture, RenderPlan } from './engines/engine.ts'
import { engineFor } from './engines/engine-choice.ts'
import type { StorageEnv } from './env.ts'
import { numberIn } from './env.ts'
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

/** The largest side of a rendition, unless configured or given by the item's scope. */
const defaultMaxDimension = 4096

interface Size {
  w?: number | undefined
  h?: number | undefined
  m: 'r' | 'c'
}

/** A rendition: of an image, in its own format unless another is named; or of a video's frame at a second. */
export type RenditionRequest = Size &
  ({ of: 'image'; format?: ImageFormat | undefined } | { of: 'video'; t?: number | undefined })

/** Makes a rendition of an item and keeps it under a name; 404 where the item's bytes are gone. */
export async function makeRendition(env: StorageEnv, item: Item, name: string, asked: RenditionRequest): Promise<void> {
  const source = asked.of === 'image' ? storedImage(env.FILES, item) : await frameOf(env, item, asked.t)
  const format = (asked.of === 'image' ? asked.format : 'jpeg') ?? source.header.format
  const largest = item.max_dimension ?? numberIn(env, 'UPLOAD_MAX_DIMENSION', defaultMaxDimension)
  const plan = planThumbnail(source.header, asked, asked.of === 'image' ? largest : defaultMaxDimension, format)
  const rendered = await engineFor(env, source.header, source.size, format).render(source, plan)
  const picture = await noLarger(rendered, source, plan)
  const written = picture.format ?? format
  await env.FILES.put(renditionKey(item.digest, name), picture, {
    httpMetadata: { contentType: imageMediaTypes[written], contentDisposition: shortDisposition(item, written) },
  })
}

/** The original without its metadata, if that is smaller, shows the same, and is in sRGB as renditions are. */
async function noLarger(picture: Picture, { header, size, bytes }: ImageSource, plan: RenderPlan): Promise<Picture> {
  const isSame =
    plan.format === header.format &&
    plan.orientation === 1 &&
    (plan.crop === undefined || (plan.crop.width === header.width && plan.crop.height === header.height)) &&
    plan.width === header.width &&
    plan.height === header.height
  if (!isSame || !(picture instanceof Uint8Array) || picture.length <= size) return picture
  const file = await bytes()
  const isSrgb = colourModelOf(file, header.format) !== 'cmyk' && readColourProfile(file, header.format) === undefined
  return (isSrgb && withoutMetadata(file, header.format)) || picture
}

const extensions: Record<ImageFormat, string> = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' }

/** R2 keeps 2 KB of it. */
const shortDisposition = ({ name }: Item, format: ImageFormat) =>
  disposition([...name].slice(0, 100).join(''), extensions[format])

/** A frame of a video, as a picture: the one that was chosen when it was transcoded, or that of a second. */
async function frameOf(env: StorageEnv, item: Item, t: number | undefined): Promise<ImageSource> {
  const bytes = t === undefined ? await chosenFrame(env, item) : await frameAt(env, item, t)
  const header = readHeader(bytes)
  if (header === undefined || header === 'more') throw new Error('A frame is no picture')
  return imageInMemory(bytes, header)
}

async function chosenFrame({ FILES }: StorageEnv, { digest }: Item): Promise<Uint8Array<ArrayBuffer>> {
  const stored = await FILES.get(previewKey(digest))
  if (!stored) throw missing('video')
  return new Uint8Array(await stored.arrayBuffer())
}

const patience = 30_000

/** Only the packets around the second are read, and sent to be decoded. */
async function frameAt(env: StorageEnv, { digest, size, duration }: Item, t: number): Promise<Uint8Array<ArrayBuffer>> {
  if (duration !== null && t >= duration)
    throw invalid('t', `Must be below the duration of the video, ${duration} seconds`)
  const container = requireContainer(env)
  const cut = await extractFramePackets(openR2File(env.FILES, videoKey(digest), size), t)
  const signal = AbortSignal.timeout(patience)
  const response = await container.fetch(`/frame?t=${cut.t}`, { method: 'POST', body: cut.bytes, signal })
  if (response.ok) return new Uint8Array(await response.arrayBuffer())
  await response.body?.cancel()
  if (response.status === 503) throw unavailable()
  throw failure('media_container_failed', 'The media container returned no frame.')
}
