// Estimates the memory that processing an image in the Worker takes. An image that needs more than the Worker has is sent to the
// container.
import type { ColourModel } from '../headers/colour-profile.ts'
import type { Header, ImageFormat, ImageKind, RenderPlan } from './engine.ts'
import { maxHeldBytes } from './memory-queue.ts'
import { usesMozjpeg } from './mozjpeg-encoder.ts'
import { maxWebpPixels } from './webp-encoder.ts'

const megabyte = 1024 * 1024

/** Memory of a WebP or JPEG encoder in bytes, nearly all of which is allocated when the encoder is loaded. */
export const encoderBytes = 17 * megabyte

/**
 * Memory for a decoder in bytes. An isolate has 128 MB: 20 MB stay for the code and other requests, and the queued files and an
 * encoder take their share.
 */
export const maxDecoderBytes = (128 - 20) * megabyte - maxHeldBytes - encoderBytes

/** Whether the Worker can check an image, or render it by a plan, within its memory. */
export const fitsIsolate = (header: Header, size: number, plan?: RenderPlan): boolean =>
  requiredBytes(header, size, plan) <= maxDecoderBytes &&
  !(plan?.format === 'webp' && plan.width * plan.height > maxWebpPixels)

/** A conversion to sRGB: the colour model of the file, and the memory of the converter in bytes. */
interface Conversion {
  model: ColourModel
  memory: number
}

/**
 * Returns an upper bound of the memory for an image in bytes, without that of the encoder. Tests measure that real images stay
 * below.
 */
export function requiredBytes(
  { format, width, height }: Header,
  size: number,
  plan: EncodedSize = noResult,
  conversion?: Conversion,
): number {
  const isCmyk = conversion?.model === 'cmyk'
  const { perFile, perPixel, empty, start } = isCmyk ? ofPdfjs : decoders[format]
  const decoding = Math.max(start, empty + perFile * size + perPixel * width * height)
  const { photon, beside } = plan.format === 'jpeg' && usesMozjpeg(plan) ? mozjpeg : encoders[plan.format]
  const pixels = plan.width * plan.height
  const writing = ofPhoton.empty + photon * pixels
  // Photon encodes a JPEG in the memory in which it decoded, so the larger of both counts. After another decoder, the memory of
  // Photon is additional.
  const isOther = isCmyk || format === 'webp'
  const codecs = isOther && photon > 0 ? decoding + writing : Math.max(decoding, writing)
  return size + codecs + beside * pixels + (conversion?.memory ?? 0)
}

type EncodedSize = Pick<RenderPlan, 'format' | 'width' | 'height' | 'quality'>

/** The result of a check, which encodes nothing: an image without pixels. */
const noResult: EncodedSize = { format: 'gif', width: 0, height: 0 }

interface DecoderMemory {
  /** Initial memory of the decoder in bytes. */
  start: number
  /** Memory of the decoder in bytes that does not depend on the image, rounding included. */
  empty: number
  /** Bytes for each byte of the file; `perPixel` is for each pixel of the image. Intermediate results are included. */
  perFile: number
  perPixel: number
}

const ofPhoton = { start: 0, empty: 2.5 * megabyte, perFile: 1 }

/**
 * Memory of each decoder in its worst case: a progressive JPEG, a 16-bit PNG, a lossless WebP whose frame is smaller than its
 * canvas. A progressive CMYK JPEG takes 20 bytes a pixel; the reserve for other requests covers the difference.
 */
const decoders: Record<ImageKind, DecoderMemory> = {
  jpeg: { ...ofPhoton, perPixel: 16 },
  png: { ...ofPhoton, perPixel: 17 },
  webp: { start: 16 * megabyte, empty: 2 * megabyte, perFile: 2, perPixel: 13 },
  gif: { ...ofPhoton, perPixel: 14 },
}

/**
 * Memory of the CMYK decoder: 8 bytes a pixel for coefficients, 4 for pixels, and the rest for garbage that is not collected yet.
 */
const ofPdfjs: DecoderMemory = { start: 0, empty: 0, perFile: 0, perPixel: 20 }

/**
 * Bytes for each encoded pixel: `photon` in the memory of Photon, which reuses that of the decoding, and `beside` outside of it.
 */
const encoders: Record<ImageFormat, { photon: number; beside: number }> = {
  jpeg: { photon: 17, beside: 6 },
  png: { photon: 0, beside: 14 },
  webp: { photon: 0, beside: 6 },
  gif: { photon: 0, beside: 10 },
  avif: { photon: 0, beside: 0 },
}

/**
 * Memory of mozjpeg for each pixel. Its module has separate memory, which `encoderBytes` covers, so only copies of the pixels count
 * here.
 */
const mozjpeg = { photon: 0, beside: 6 }
