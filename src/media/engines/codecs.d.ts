// Types for packages that have none, or only for another loader. The bundler compiles a *.wasm file into a module.
declare module '@cf-wasm/photon/photon.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/webp/codec/enc/webp_enc_simd.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/webp/codec/dec/webp_dec.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module 'lcms-wasm/dist/lcms.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/webp/codec/enc/webp_enc_simd.js' {
  import type { EncodeOptions } from '@jsquash/webp/meta.js'
  import type { LoaderOptions } from '#media/engines/emscripten-loader'

  interface Encoder {
    encode(
      rgba: Uint8Array | Uint8ClampedArray,
      width: number,
      height: number,
      options: EncodeOptions,
    ): Uint8Array | null
  }

  /** Options of a test or script outside of Workers, where the loader compiles the bytes in `wasmBinary` itself. */
  export default function create(options: LoaderOptions | { wasmBinary: Uint8Array }): Promise<Encoder>
}

declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  import type { LoaderOptions } from '#media/engines/emscripten-loader'

  export default function create(options: LoaderOptions): Promise<{ decode(file: Uint8Array): unknown }>
}

declare module '@jsquash/jpeg/codec/enc/mozjpeg_enc.js' {
  import type { EncodeOptions } from '@jsquash/jpeg/meta.js'
  import type { LoaderOptions } from '#media/engines/emscripten-loader'

  interface Encoder {
    encode(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, options: EncodeOptions): Uint8Array
  }

  export default function create(options: LoaderOptions): Promise<Encoder>
}

declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs' {
  export const VerbosityLevel: { ERRORS: number }
  export function setVerbosityLevel(level: number): void
  export class JpegImage {
    width: number
    height: number
    parse(file: Uint8Array): void
    getData(options: { width: number; height: number; isSourcePDF: boolean }): Uint8Array | Uint8ClampedArray
  }
}

declare module 'gifenc' {
  type Palette = number[][]

  interface Options {
    palette: Palette
    transparent?: boolean
    transparentIndex?: number
    /** Number of repetitions of the animation; a negative number means none. */
    repeat?: number
  }

  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: Options): void
    finish(): void
    bytes(): Uint8Array<ArrayBuffer>
  }
  export function quantize(rgba: Uint8ClampedArray, maxColors: number, options: { format: string }): Palette
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette, format: string): Uint8Array
}
