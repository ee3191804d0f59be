import type { Format, Header, Kind, Plan } from './engine.ts'
import { mostHeld } from './turn.ts'
import { mostWebpPixels, webpMemory } from './webp.ts'

const megabyte = 1024 * 1024

/** An isolate has 128 MB for all. Twenty are for the code and for what other requests do. */
export const mostMemory = (128 - 20) * megabyte - mostHeld - webpMemory

/** Whether a picture can be checked, or what is planned be made of it, within an isolate. */
export const fitsIsolate = (header: Header, size: number, plan?: Plan): boolean =>
  memoryFor(header, size, plan) <= mostMemory &&
  !(header.format === 'webp' && size > mostWebpFile) &&
  !(plan?.format === 'webp' && plan.width * plan.height > mostWebpPixels)

/** Bytes of a WebP: one that is written for it, without loss, has tables for 230 times as many, and takes seconds for them. */
const mostWebpFile = 300_000

/** The most bytes that it takes besides the WebP encoder's. The tests measure that it does not take more. */
export function memoryFor({ format, width, height }: Header, size: number, plan: Size = nothing): number {
  const { photon, beside } = encoders[plan.format]
  const made = plan.width * plan.height
  // The file is there twice, as it came and where Photon reads it.
  return empty + 2 * size + Math.max(decoders[format] * width * height, photon * made) + beside * made
}

type Size = Pick<Plan, 'format' | 'width' | 'height'>

/** As if nothing were made, for a check. */
const nothing: Size = { format: 'jpeg', width: 0, height: 0 }

/** Photon without a picture, and what it rounds up to. */
const empty = 2.5 * megabyte

/**
 * Bytes for each pixel while Photon decodes: what it has in between, and two copies of the result. It is the worst of
 * each kind (a progressive JPEG, a PNG of 16 bits, a lossless WebP), but for a progressive JPEG in the colours of print:
 * that one has 20, out of what is left for others.
 */
const decoders: Record<Kind, number> = { jpeg: 16, png: 17, webp: 20, gif: 14 }

/** Bytes for each pixel that is written: in Photon's memory, where that is more than decoding took, and beside it. */
const encoders: Record<Format, { photon: number; beside: number }> = {
  jpeg: { photon: 17, beside: 6 },
  png: { photon: 36, beside: 8 },
  webp: { photon: 0, beside: 5 },
  gif: { photon: 0, beside: 10 },
  avif: { photon: 0, beside: 0 },
}
