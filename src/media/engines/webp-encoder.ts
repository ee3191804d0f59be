// Encodes WebP images with libwebp (WebAssembly).
import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import webp from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { type LoadedModule, loadCodec } from './emscripten-loader.ts'
import type { Quality } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/** Up to this many pixels, the memory that the encoder has initially is enough. The container encodes larger WebP thumbnails. */
export const maxWebpPixels = 900_000

export const openWebp = () => loadCodec(createEncoder, webp)

/** Writes a lossy WebP. */
export function writeWebp(
  { codec }: LoadedModule<Awaited<ReturnType<typeof createEncoder>>>,
  { data, width, height }: Pixels,
  quality: Quality,
): Uint8Array<ArrayBuffer> {
  const file = codec.encode(data, width, height, optionsFor(width * height, quality))
  if (!file) throw new Error('The WebP encoder failed')
  return new Uint8Array(file)
}

/** Maximum number of pixels for which the alpha channel is compressed: the compression may take 54 bytes a pixel. */
const maxCompressedAlphaPixels = 250_000

/** WebP quality, from 1 to 100. `usual` is the default of libvips, which the container uses. */
const numbers: Record<Quality, number> = { usual: 80, high: 92 }

const optionsFor = (pixels: number, quality: Quality) => ({
  ...defaultOptions,
  quality: numbers[quality],
  low_memory: 1,
  alpha_compression: pixels <= maxCompressedAlphaPixels ? 1 : 0,
})
