import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions } from '@jsquash/jpeg/meta.js'
import { type LoadedModule, loadCodec } from './emscripten-loader.ts'
import type { RenderPlan } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/** Whether mozjpeg writes a JPEG. Photon writes what may be edited again, and large pictures. */
export const isByMozjpeg = ({ width, height, quality }: Pick<RenderPlan, 'width' | 'height' | 'quality'>) =>
  quality !== 'high' && width * height <= maxPixels

/** Up to this many pixels, the encoder keeps to the memory that it has from the start. */
const maxPixels = 900_000

/** Of 100. libvips is as good at 82, at a quarter more bytes. */
const quality = 80

export const openMozjpeg = () => loadCodec(createEncoder, jpeg)

/** Writes a progressive JPEG whose colours have a quarter of the pixels (4:2:0). */
export const writeMozjpeg = (
  { codec }: LoadedModule<Awaited<ReturnType<typeof createEncoder>>>,
  { data, width, height }: Pixels,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(codec.encode(data, width, height, { ...defaultOptions, quality, auto_subsample: false }))
