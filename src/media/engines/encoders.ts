// Opens the encoder for a rendition: GIF, PNG, WebP or JPEG. Keeps one idle encoder for the next image.
import { withPhoton } from './decoders.ts'
import type { LoadedModule } from './emscripten-loader.ts'
import type { RenderPlan } from './engine.ts'
import { writeGif } from './gif-encoder.ts'
import { encoderBytes } from './memory-budget.ts'
import { openMozjpeg, usesMozjpeg, writeMozjpeg } from './mozjpeg-encoder.ts'
import type { Pixels } from './photon-codec.ts'
import { writePng } from './png-encoder.ts'
import { openWebp, writeWebp } from './webp-encoder.ts'

type RenderedPixels = Pixels<Uint8ClampedArray<ArrayBuffer>>

/** Encodes one image. Synchronous, so that an isolate processes one image at a time. */
type Encode = (pixels: RenderedPixels) => Uint8Array<ArrayBuffer>

/** Properties of the source that the rendition keeps. */
interface SourceKind {
  /** Whether the source is a PNG with a palette. Its thumbnails then get a palette too, which keeps them small. */
  palette: boolean
}

/** Opens the encoder for the format and quality of a plan. */
export async function openEncoder(plan: RenderPlan, { palette }: SourceKind): Promise<Encode> {
  const { format, quality = 'usual' } = plan
  if (format === 'avif') throw new Error('The Worker has no AVIF encoder')
  if (format === 'gif') return writeGif
  if (format === 'png') return (pixels) => writePng(pixels, { palette })
  if (format === 'webp') return openReusable('webp', openWebp, (encoder, pixels) => writeWebp(encoder, pixels, quality))
  if (usesMozjpeg(plan)) return openReusable('mozjpeg', openMozjpeg, writeMozjpeg)
  return (pixels) => withPhoton((codec) => codec.encodeJpeg(pixels, quality))
}

/** The encoder that is kept for the next image. Only one is kept, since the memory of a WebAssembly instance never shrinks. */
let idle: { name: string; loaded: LoadedModule<unknown> } | undefined

async function openReusable<Codec>(
  name: string,
  open: () => Promise<LoadedModule<Codec>>,
  write: (encoder: LoadedModule<Codec>, pixels: RenderedPixels) => Uint8Array<ArrayBuffer>,
): Promise<Encode> {
  // The cast is safe: encoders of the same name have the same type.
  const loaded = idle?.name === name ? (idle.loaded as LoadedModule<Codec>) : await open()
  // `idle` is set again only after the encoding. If the encoder traps, it is thus not used again.
  idle = undefined
  return (pixels) => {
    const file = write(loaded, pixels)
    if (loaded.memory.buffer.byteLength <= encoderBytes) idle = { name, loaded }
    return file
  }
}
