// What packages have no types for, or those of another loader: the bundler compiles a *.wasm into a module.
declare module '@cf-wasm/photon/photon.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/webp/codec/enc/webp_enc_simd.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '@jsquash/webp/codec/enc/webp_enc_simd.js' {
  import type { EncodeOptions } from '@jsquash/webp/meta.js'

  interface Encoder {
    readonly HEAPU8: Uint8Array
    encode(
      rgba: Uint8Array | Uint8ClampedArray,
      width: number,
      height: number,
      options: EncodeOptions,
    ): Uint8Array | null
  }

  interface Options {
    noInitialRun: boolean
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Instance['exports']
  }

  export default function create(options: Options): Promise<Encoder>
}

declare module 'gifenc' {
  type Palette = number[][]

  interface Options {
    palette: Palette
    transparent?: boolean
    transparentIndex?: number
    /** How often an animation is repeated; negative for none. */
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
