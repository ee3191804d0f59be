// Encodes small JPEG renditions with mozjpeg (WebAssembly). Photon encodes the others.
import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions } from '@jsquash/jpeg/meta.js'
import { type LoadedModule, loadCodec } from './emscripten-loader.ts'
import type { RenderPlan } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/**
 * Whether mozjpeg encodes a JPEG. Photon encodes large ones, for which mozjpeg needs too much memory, and those of high quality,
 * which may be edited again.
 */
export const usesMozjpeg = ({ width, height, quality }: Pick<RenderPlan, 'width' | 'height' | 'quality'>) =>
  quality !== 'high' && width * height <= maxPixels

/** Up to this many pixels, the memory that the encoder has initially is enough. */
const maxPixels = 900_000

/** JPEG quality, from 1 to 100. A file looks like one of quality 82 of libvips, with a fifth fewer bytes. */
const quality = 80

export const openMozjpeg = () => loadCodec(createEncoder, jpeg)

/** Writes a progressive JPEG with chroma subsampling (4:2:0), which makes a thumbnail small. */
export const writeMozjpeg = (
  { codec }: LoadedModule<Awaited<ReturnType<typeof createEncoder>>>,
  { data, width, height }: Pixels,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(codec.encode(data, width, height, { ...defaultOptions, quality, auto_subsample: false }))
