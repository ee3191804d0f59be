// Opens the decoder for an image: the WebP decoder, or Photon for other formats. Keeps one idle decoder for the next image.
import type { Header } from './engine.ts'
import { maxDecoderBytes } from './memory-budget.ts'
import { openPhoton, type PhotonCodec, type Pixels } from './photon-codec.ts'
import { openWebpDecoder, type WebpDecoder } from './webp-decoder.ts'

/** At most one decoder is kept, since its memory never shrinks, and garbage collection frees it late. */
let idle: { photon?: PhotonCodec; webp?: WebpDecoder } = {}

/** Drops the idle decoder if it holds more than `maxBytes`, to make room for another allocation. */
export function dropDecoder(maxBytes = 0): void {
  if (((idle.photon ?? idle.webp)?.memory ?? 0) > maxBytes) idle = {}
}

/** Decodes one file. The pixels are valid until `use` returns. Throws `brokenImage` or `MemoryExceeded`. */
export type Decode = <T>(file: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T) => T

/** Opens the decoder of a format. The returned function is synchronous. */
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

/** Runs `use` with the idle instance of Photon or a new one. The instance is kept unless it threw or holds too much memory. */
export function withPhoton<T>(use: (codec: PhotonCodec) => T): T {
  const photon = idle.photon ?? openPhoton()
  idle = {}
  const result = use(photon)
  if (photon.memory <= maxDecoderBytes) idle = { photon }
  return result
}
