import type { ColourModel } from '../headers/colour-profile.ts'
import type { Header, ImageFormat, ImageKind, RenderPlan } from './engine.ts'
import { maxHeldBytes } from './memory-queue.ts'
import { isByMozjpeg } from './mozjpeg-encoder.ts'
import { maxWebpPixels } from './webp-encoder.ts'

const megabyte = 1024 * 1024

/** Bytes that an encoder has from the start, nearly, and keeps to. */
export const encoderBytes = 17 * megabyte

/** An isolate has 128 MB for all. Twenty are for the code and for what other requests do. */
export const maxDecoderBytes = (128 - 20) * megabyte - maxHeldBytes - encoderBytes

/** Whether a picture can be checked, or what is planned be made of it, within an isolate. */
export const fitsIsolate = (header: Header, size: number, plan?: RenderPlan): boolean =>
  requiredBytes(header, size, plan) <= maxDecoderBytes &&
  !(plan?.format === 'webp' && plan.width * plan.height > maxWebpPixels)

/** A conversion to sRGB: the colours of the file, and the bytes that its converter holds. */
interface Conversion {
  model: ColourModel
  memory: number
}

/** The most bytes that it takes besides the encoder's. The tests measure that it does not take more. */
export function requiredBytes(
  { format, width, height }: Header,
  size: number,
  plan: Size = nothing,
  conversion?: Conversion,
): number {
  const isCmyk = conversion?.model === 'cmyk'
  const { perFile, perPixel, empty, start } = isCmyk ? ofPdfjs : decoders[format]
  const decoding = Math.max(start, empty + perFile * size + perPixel * width * height)
  const { photon, beside } = plan.format === 'jpeg' && isByMozjpeg(plan) ? mozjpeg : encoders[plan.format]
  const made = plan.width * plan.height
  const writing = ofPhoton.empty + photon * made
  // Photon writes in the memory in which it has decoded, not in that of another decoder.
  const isOther = isCmyk || format === 'webp'
  const codecs = isOther && photon > 0 ? decoding + writing : Math.max(decoding, writing)
  return size + codecs + beside * made + (conversion?.memory ?? 0)
}

type Size = Pick<RenderPlan, 'format' | 'width' | 'height' | 'quality'>

/** As if nothing were made, for a check. */
const nothing: Size = { format: 'gif', width: 0, height: 0 }

interface DecoderMemory {
  /** Bytes that it has from the start. */
  start: number
  /** Bytes without a picture, and what it rounds up to. */
  empty: number
  /** Bytes for each byte of the file, and for each pixel: what it has in between, and what it returns. */
  perFile: number
  perPixel: number
}

const ofPhoton = { start: 0, empty: 2.5 * megabyte, perFile: 1 }

/**
 * The worst of each kind (a progressive JPEG, a PNG of 16 bits, a lossless WebP, whose frame is part of a canvas), but
 * for a progressive JPEG in the colours of print: that one has 20, out of what is left for others.
 */
const decoders: Record<ImageKind, DecoderMemory> = {
  jpeg: { ...ofPhoton, perPixel: 16 },
  png: { ...ofPhoton, perPixel: 17 },
  webp: { start: 16 * megabyte, empty: 2 * megabyte, perFile: 2, perPixel: 13 },
  gif: { ...ofPhoton, perPixel: 14 },
}

/** For CMYK: the coefficients take 8 bytes a pixel, and the pixels 4; the rest is what is not collected yet. */
const ofPdfjs: DecoderMemory = { start: 0, empty: 0, perFile: 0, perPixel: 20 }

/** Bytes for each pixel that is written: in Photon's memory, where that is more than decoding took, and beside it. */
const encoders: Record<ImageFormat, { photon: number; beside: number }> = {
  jpeg: { photon: 17, beside: 6 },
  png: { photon: 0, beside: 14 },
  webp: { photon: 0, beside: 6 },
  gif: { photon: 0, beside: 10 },
  avif: { photon: 0, beside: 0 },
}

/** In an encoder's memory of its own. */
const mozjpeg = { photon: 0, beside: 6 }
