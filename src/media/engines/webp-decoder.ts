// Decodes WebP images with libwebp (WebAssembly), without a copy of the pixels.
import createDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { firstFrame } from '../headers/webp.ts'
import { loadCodec } from './emscripten-loader.ts'
import { brokenImage, type ImageSize } from './engine.ts'
import { limitMemory, MemoryExceeded } from './memory-limit.ts'
import type { Pixels } from './photon-codec.ts'

/**
 * An instance of the decoder of libwebp. After `decode` has thrown, the state of the instance is unknown, and it must not be used
 * again.
 */
export interface WebpDecoder {
  /** Size of the instance's memory in bytes. */
  readonly memory: number
  /** Decodes a still image, or the first frame of an animation. The pixels are valid until `use` returns. */
  decode<T>(parts: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T): T
}

/** Opens a decoder with at most `maxBytes` of memory. */
export async function openWebpDecoder(maxBytes: number): Promise<WebpDecoder> {
  const { codec, memory } = await loadCodec(createDecoder, webp)
  const wasRefused = limitMemory(memory, maxBytes)
  return {
    get memory() {
      return memory.buffer.byteLength
    },

    decode(parts, use) {
      const { canvas, frame, x, y } = firstFrame(joined(parts))
      const decoded = withoutCopy(
        () => codec.decode(frame),
        (pixels) => ({ result: use(canvas ? placed(pixels, canvas, x, y) : pixels) }),
      )
      if (decoded) return decoded.result
      if (wasRefused()) throw new MemoryExceeded()
      throw brokenImage()
    },
  }
}

const joined = (parts: Uint8Array[]) => (parts.length === 1 ? parts[0]! : Buffer.concat(parts))

/**
 * Gives the pixels to `use` without a copy. The decoder of the package returns `new ImageData(new Uint8ClampedArray(view))`, which
 * copies all pixels. It looks up both classes by name, so this function replaces them during the call, and `use` reads the pixels
 * before the decoder frees them.
 */
function withoutCopy<T extends object>(decode: () => unknown, use: (pixels: Pixels<Uint8Array>) => T): T | undefined {
  const kept = { ImageData: scope.ImageData, Uint8ClampedArray: scope.Uint8ClampedArray }
  let result: T | undefined
  current = (pixels) => {
    // Restores both classes before `use` runs, since `use` needs them.
    Object.assign(scope, kept)
    result = use(pixels)
  }
  Object.assign(scope, { ImageData: handOver, Uint8ClampedArray: sameView })
  try {
    decode()
    return result
  } finally {
    Object.assign(scope, kept)
    current = undefined
  }
}

const scope = globalThis as unknown as { ImageData: unknown; Uint8ClampedArray: unknown }

let current: ((pixels: Pixels<Uint8Array>) => void) | undefined

/**
 * Replaces ImageData in `withoutCopy`. A decoder caches the ImageData of its first call for all later ones, so this one
 * function serves all calls, and passes the pixels to `current`.
 */
function handOver(data: Uint8Array, width: number, height: number) {
  current?.({ data, width, height })
  return {}
}

function sameView(view: Uint8Array) {
  return view
}

/** Copies a frame to its place on a transparent canvas. `firstFrame` has checked that the frame is inside the canvas. */
function placed(
  { data, width, height }: Pixels<Uint8Array>,
  canvas: ImageSize,
  left: number,
  top: number,
): Pixels<Uint8Array> {
  const whole = new Uint8Array(canvas.width * canvas.height * 4)
  for (let row = 0; row < height; row++) {
    const from = row * width * 4
    whole.set(data.subarray(from, from + width * 4), ((top + row) * canvas.width + left) * 4)
  }
  return { data: whole, ...canvas }
}
