import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import webp from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import type { Pixels } from './codec.ts'
import type { Quality } from './engine.ts'

/** Bytes that an encoder has from the start, and keeps to. */
export const webpMemory = 16 * 1024 * 1024

/** The most pixels for which they suffice. */
export const mostWebpPixels = 900_000

/** What writes one lossy WebP: Photon's are lossless, and several times as large. */
export async function openWebp() {
  const encoder = idle ?? (await instantiate())
  // Whoever takes it has it alone: it is of no more use where it traps.
  idle = undefined
  return ({ data, width, height }: Pixels, quality: Quality): Uint8Array<ArrayBuffer> => {
    const file = encoder.encode(data, width, height, optionsFor(width * height, quality))
    if (!file) throw new Error('The picture could not be written as WebP')
    if (encoder.HEAPU8.byteLength <= webpMemory) idle = encoder
    return new Uint8Array(file)
  }
}

let idle: Awaited<ReturnType<typeof createEncoder>> | undefined

/** Above that many pixels transparency is written as it is: to compress it may take 54 bytes for each. */
const mostCompressed = 250_000

/** Of 100; the usual one is that of libvips. */
const numbers: Record<Quality, number> = { usual: 80, high: 92 }

const optionsFor = (pixels: number, quality: Quality) => ({
  ...defaultOptions,
  quality: numbers[quality],
  low_memory: 1,
  alpha_compression: pixels <= mostCompressed ? 1 : 0,
})

const instantiate = () =>
  createEncoder({
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(webp, imports)
      done(instance)
      return instance.exports
    },
  })
