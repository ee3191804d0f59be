// Encodes small JPEG renditions with mozjpeg (WebAssembly). Photon encodes the others.
import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions } from '@jsquash/jpeg/meta.js'
import { type LoadedModule, loadCodec } from './emscripten-loader.ts'
import type { RenderPlan } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/** Whether mozjpeg encodes a JPEG: not if it is large, or of high quality for further edits. */
export const usesMozjpeg = ({ width, height, quality }: Pick<RenderPlan, 'width' | 'height' | 'quality'>) =>
  quality !== 'high' && width * height <= maxPixels

/** Up to this many pixels, the initial memory of the encoder suffices. */
const maxPixels = 900_000

/** JPEG quality of 100. Equals quality 82 of libvips with a fifth fewer bytes. */
const quality = 80

export const openMozjpeg = () => loadCodec(createEncoder, jpeg)

/** Writes a progressive JPEG with chroma subsampling (4:2:0). */
export const writeMozjpeg = (
  { codec }: LoadedModule<Awaited<ReturnType<typeof createEncoder>>>,
  { data, width, height }: Pixels,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(codec.encode(data, width, height, { ...defaultOptions, quality, auto_subsample: false }))
