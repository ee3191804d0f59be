// Pictures: what libvips does with them, for as little memory as it takes.
import sharp, { type JpegOptions, type Sharp } from 'sharp'
import { tooLarge } from '../shared/body.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { type Area, areaInFile, type PixelSize, turnedSize, turnImage } from './orientation.ts'

// Nothing is decoded twice.
sharp.cache(false)

// Loaders are many and old; only these are reachable.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

export interface Rendition extends PixelSize {
  orientation: number
  /** Of the turned picture. */
  crop: Area
  format: Format
  quality: Quality
}

type Quality = 'usual' | 'high'

/** Seconds that one picture may take. */
const patience = 120

/** What a file's header says. */
interface PictureHeader extends PixelSize {
  /** How a PNG stores its pixels. Its renditions as PNG are stored alike. */
  kind: PngKind
  /** Whether it has a colour profile. */
  hasProfile: boolean
}

type PngKind = 'palette' | 'grey' | 'colour'

/** What a file's header says; nothing is decoded. 415, 400 or 413 for what is not to be. */
export async function readPictureHeader(file: Buffer, maxPixels: number): Promise<PictureHeader> {
  if (!isPicture(file)) throw new HttpError(415, 'unsupported_media_type', 'That is no JPEG, PNG, WebP or GIF')
  const { width, height, format, space, isPalette, hasProfile } = await finish(
    sharp(file, { limitInputPixels: false }).metadata(),
  )
  if (width * height > maxPixels) throw tooLarge()
  const isGrey = space === 'b-w' || space === 'grey16'
  const kind = format === 'png' && isPalette ? 'palette' : isGrey ? 'grey' : 'colour'
  return { width, height, kind, hasProfile }
}

/** Turns, cuts and scales in one pass, in sRGB, without the metadata. */
export function render(
  file: Buffer,
  size: PictureHeader,
  { orientation, crop, width, height, format, quality }: Rendition,
) {
  const all = turnedSize(size, orientation)
  const area = areaInFile(size, crop, orientation)
  const target = turnedSize({ width, height }, orientation)
  let image = open(file, size)
  // A cut, even of everything, keeps libvips from decoding a JPEG at an eighth of its size.
  if (crop.width !== all.width || crop.height !== all.height) image = image.extract(area)
  // Scaled as it lies in the file, then turned: that order reads the file from top to bottom.
  image = image.resize({ ...target, fit: 'fill' })
  image = turnImage(image, orientation)
  // sharp converts the profile of a 16-bit picture to Display P3, and takes one without a profile for Display P3 here.
  if (size.hasProfile) image = image.withIccProfile('srgb', { attach: false })
  const written = format === 'png' ? pngWriters[size.kind](image) : encoders[format](image, quality)
  return finish(written.toBuffer())
}

/** Decodes all of a file, and keeps none of it. 400 where that fails. */
export async function decodeAll(file: Buffer, size: PixelSize) {
  await finish(open(file, size).resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer())
}

/** How light a picture is, and how much that varies in it; 0 to 255 both. */
export async function lightOf(path: string): Promise<{ mean: number; deviation: number }> {
  const small = await sharp(path).resize(64, 64, { fit: 'fill' }).greyscale().raw().toBuffer()
  const mean = small.reduce((sum, value) => sum + value, 0) / small.length
  const variance = small.reduce((sum, value) => sum + (value - mean) ** 2, 0) / small.length
  return { mean, deviation: Math.sqrt(variance) }
}

/** Has libvips start its threads and tables, which the first picture would wait for. */
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
    seconds: patience,
  })

/** libvips only knows broken files: what else could fail is checked before it begins. */
async function finish<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch {
    throw new HttpError(400, 'broken_image', 'The image is broken')
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

/** The longest side that a format can hold. */
const longest: Record<Format, number> = { jpeg: 65_500, png: 65_500, webp: 16_383, gif: 65_500, avif: 16_384 }

/** Refuses a size that the format cannot hold, or that is more than may be held. */
export function checkTarget({ width, height, format }: Rendition, maxPixels: number) {
  if (width > longest[format]) throw invalid('width')
  if (height > longest[format]) throw invalid('height')
  if (width * height > maxPixels) throw tooLarge()
}

export const isFormat = (text: string): text is Format => Object.hasOwn(encoders, text)

function isPicture(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 12)
  if (head.startsWith('RIFF')) return head.endsWith('WEBP')
  return ['\xff\xd8\xff', '\x89PNG', 'GIF87a', 'GIF89a'].some((magic) => head.startsWith(magic))
}
