// Opens the decoder for an image: libwebp for WebP, Photon for other formats. Keeps one idle decoder for the next image.
import type { Header } from './engine.ts'
import { maxDecoderBytes } from './memory-budget.ts'
import { openPhoton, type PhotonCodec, type Pixels } from './photon-codec.ts'
import { openWebpDecoder, type WebpDecoder } from './webp-decoder.ts'

/**
 * The decoder that is kept for the next image. Only one is kept, since the memory of a WebAssembly instance never shrinks, and
 * garbage collection frees an instance late.
 */
let idle: { photon?: PhotonCodec; webp?: WebpDecoder } = {}

/** Drops the idle decoder if its memory is larger than `maxBytes`, so that garbage collection makes room for another allocation. */
export function dropDecoder(maxBytes = 0): void {
  if (((idle.photon ?? idle.webp)?.memory ?? 0) > maxBytes) idle = {}
}

/**
 * Decodes one file, given as its parts. The pixels are in the decoder's memory, and valid only until `use` returns. Throws
 * `brokenImage` or `MemoryExceeded`.
 */
export type Decode = <T>(file: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T) => T

/** Opens the decoder of a format. The returned function is synchronous, so that an isolate decodes one image at a time. */
export async function openDecoder({ format }: Header): Promise<Decode> {
  if (format !== 'webp') return (file, use) => withPhoton((codec) => codec.decode(file, use))
  const webp = idle.webp ?? (await openWebpDecoder(maxDecoderBytes))
  idle = {}
  return (file, use) => {
    // If the decoder throws, `idle` stays empty: the state of a decoder that has failed is unknown.
    const result = webp.decode(file, use)
    idle = { webp }
    return result
  }
}

/**
 * Runs `use` with the idle instance of Photon or a new one. Keeps the instance for the next image unless it threw or holds too much
 * memory.
 */
export function withPhoton<T>(use: (codec: PhotonCodec) => T): T {
  const photon = idle.photon ?? openPhoton()
  idle = {}
  const result = use(photon)
  if (photon.memory <= maxDecoderBytes) idle = { photon }
  return result
}
