// Decodes and renders images with sharp (libvips) in little memory, for the routes under /image.
import sharp, { type JpegOptions, type Sharp } from 'sharp'
import { tooLarge } from '../shared/body.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { type Area, areaInFile, orientedSize, orientImage, type PixelSize } from './orientation.ts'

// The cache of libvips is off: no image is decoded twice, so it would only take memory.
sharp.cache(false)

// Blocks all loaders of libvips except those of four formats: the others are many, and some are old and may have
// security holes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

export interface Rendition extends PixelSize {
  orientation: number
  /** The area to cut out, in pixels of the upright image. */
  crop: Area
  format: Format
  quality: Quality
}

type Quality = 'usual' | 'high'

/** Time limit for one image, after which libvips stops. */
const imageTimeoutSeconds = 120

/** Content of the header of an image. */
interface ImageHeader extends PixelSize {
  /** How the pixels of a PNG are stored, such as with a palette. A PNG rendition of it is stored in the same way. */
  kind: PngKind
  /** Whether the file has a colour profile. */
  hasProfile: boolean
}

type PngKind = 'palette' | 'grey' | 'colour'

/** Reads the header of an image without decoding it. Throws 415 for another format, 400 if the file is broken, 413 above `maxPixels`. */
export async function readImageHeader(file: Buffer, maxPixels: number): Promise<ImageHeader> {
  if (!isImage(file))
    throw new HttpError(415, 'unsupported_media_type', 'The body must be a JPEG, PNG, WebP or GIF image')
  const { width, height, format, space, isPalette, hasProfile } = await orBrokenImage(
    sharp(file, { limitInputPixels: false }).metadata(),
  )
  if (width * height > maxPixels) throw tooLarge()
  const isGrey = space === 'b-w' || space === 'grey16'
  const kind = format === 'png' && isPalette ? 'palette' : isGrey ? 'grey' : 'colour'
  return { width, height, kind, hasProfile }
}

/** Renders an image: crops, scales and rotates in one pass, converts to sRGB, and drops the metadata. */
export function render(
  file: Buffer,
  size: ImageHeader,
  { orientation, crop, width, height, format, quality }: Rendition,
) {
  const all = orientedSize(size, orientation)
  const area = areaInFile(size, crop, orientation)
  const target = orientedSize({ width, height }, orientation)
  let image = open(file, size)
  // Cuts out the area only if it is not the whole image: any crop would keep libvips from decoding a JPEG at a reduced
  // size.
  if (crop.width !== all.width || crop.height !== all.height) image = image.extract(area)
  // Scales before rotating, so that libvips reads the file from top to bottom and needs little memory.
  image = image.resize({ ...target, fit: 'fill' })
  image = orientImage(image, orientation)
  // An image with a profile is converted to sRGB here. Otherwise sharp would convert a 16-bit image to Display P3. An
  // image without a profile is left alone, since this call would treat it as Display P3.
  if (size.hasProfile) image = image.withIccProfile('srgb', { attach: false })
  const encoded = format === 'png' ? pngWriters[size.kind](image) : encoders[format](image, quality)
  return orBrokenImage(encoded.toBuffer())
}

/** Decodes a whole image and discards the result, to check that the file is complete. Throws 400 if that fails. */
export async function decodeAll(file: Buffer, size: PixelSize) {
  await orBrokenImage(
    open(file, size).resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer(),
  )
}

/**
 * The mean brightness of an image and its standard deviation, both from 0 to 255. The preview of a video is chosen by
 * them.
 */
export async function brightnessOf(path: string): Promise<{ mean: number; deviation: number }> {
  const small = await sharp(path).resize(64, 64, { fit: 'fill' }).greyscale().raw().toBuffer()
  const mean = small.reduce((sum, value) => sum + value, 0) / small.length
  const variance = small.reduce((sum, value) => sum + (value - mean) ** 2, 0) / small.length
  return { mean, deviation: Math.sqrt(variance) }
}

/** Renders a small image, so that the first request does not wait for the initialisation of libvips. */
export async function warmUp() {
  const size = { width: 64, height: 64, kind: 'colour', hasProfile: false } as const
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
  await render(file, size, {
    orientation: 1,
    crop: { left: 0, top: 0, width: 64, height: 64 },
    width: 8,
    height: 8,
    format: 'jpeg',
    quality: 'usual',
  })
}

const open = (file: Buffer, { width, height }: PixelSize) =>
  sharp(file, { failOn: 'error', limitInputPixels: width * height, sequentialRead: true }).timeout({
    seconds: imageTimeoutSeconds,
  })

/** Maps every error of libvips to 400 for a broken image: all other causes were checked before. */
async function orBrokenImage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch {
    throw new HttpError(400, 'broken_image', 'The image is broken or truncated')
  }
}

const encoders: Record<Format, (image: Sharp, quality: Quality) => Sharp> = {
  jpeg: (image, quality) => image.flatten({ background: '#fff' }).jpeg(jpegOptions[quality]),
  png: (image) => image.png(),
  webp: (image, quality) => image.webp({ quality: quality === 'high' ? 92 : 80 }),
  gif: (image) => image.gif({ effort: 5 }),
  avif: (image, quality) =>
    image.avif({ quality: quality === 'high' ? 65 : 50, effort: 3, chromaSubsampling: '4:2:0' }),
}

const pngWriters: Record<PngKind, (image: Sharp) => Sharp> = {
  palette: (image) => image.png({ palette: true }),
  grey: (image) => image.toColourspace('b-w').png(),
  colour: (image) => image.png(),
}

const jpegOptions: Record<Quality, JpegOptions> = {
  usual: { quality: 82 },
  high: { quality: 92, chromaSubsampling: '4:4:4' },
}

/** Maximum side of an image by format, in pixels. */
const maxSides: Record<Format, number> = { jpeg: 65_500, png: 65_500, webp: 16_383, gif: 65_500, avif: 16_384 }

/** Throws 400 if the format cannot have the size, 413 above `maxPixels`. */
export function checkTarget({ width, height, format }: Rendition, maxPixels: number) {
  if (width > maxSides[format]) throw invalid('width')
  if (height > maxSides[format]) throw invalid('height')
  if (width * height > maxPixels) throw tooLarge()
}

export const isFormat = (text: string): text is Format => Object.hasOwn(encoders, text)

function isImage(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 12)
  if (head.startsWith('RIFF')) return head.endsWith('WEBP')
  return ['\xff\xd8\xff', '\x89PNG', 'GIF87a', 'GIF89a'].some((magic) => head.startsWith(magic))
}
