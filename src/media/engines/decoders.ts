import type { Header } from './engine.ts'
import { maxDecoderBytes } from './memory-budget.ts'
import { type Codec, openPhoton, type Pixels } from './photon-codec.ts'
import { openWebpDecoder, type WebpDecoder } from './webp-decoder.ts'

/**
 * One decoder is kept for the next picture, so that its memory, which never shrinks, is held once: garbage collection is
 * slow to free it.
 */
let idle: { photon?: Codec; webp?: WebpDecoder } = {}

/** Drops the idle decoder if it holds more than `maxBytes`, which something else needs. */
export function dropDecoder(maxBytes = 0): void {
  if (((idle.photon ?? idle.webp)?.memory ?? 0) > maxBytes) idle = {}
}

/** Decodes one file. The pixels are valid until `use` returns. Throws `brokenImage`, or `MemoryExceeded`. */
export type Decode = <T>(file: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T) => T

/** Opens the decoder of a format. Nothing is awaited in it. */
export async function openDecoder({ format }: Header): Promise<Decode> {
  if (format !== 'webp') return (file, use) => withPhoton((codec) => codec.decode(file, use))
  const webp = idle.webp ?? (await openWebpDecoder(maxDecoderBytes))
  idle = {}
  return (file, use) => {
    // A decoder that throws is not used again.
    const result = webp.decode(file, use)
    idle = { webp }
    return result
  }
}

/** Uses Photon: the one that was used last, unless it threw or holds too much. */
export function withPhoton<T>(use: (codec: Codec) => T): T {
  const photon = idle.photon ?? openPhoton()
  idle = {}
  const result = use(photon)
  if (photon.memory <= maxDecoderBytes) idle = { photon }
  return result
}
