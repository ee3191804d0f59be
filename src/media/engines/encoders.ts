import { withPhoton } from './decoders.ts'
import type { LoadedModule } from './emscripten-loader.ts'
import type { RenderPlan } from './engine.ts'
import { writeGif } from './gif-encoder.ts'
import { encoderBytes } from './memory-budget.ts'
import { isByMozjpeg, openMozjpeg, writeMozjpeg } from './mozjpeg-encoder.ts'
import type { Pixels } from './photon-codec.ts'
import { writePng } from './png-encoder.ts'
import { openWebp, writeWebp } from './webp-encoder.ts'

type Picture = Pixels<Uint8ClampedArray<ArrayBuffer>>

/** Writes one picture. Nothing is awaited in it. */
type Write = (picture: Picture) => Uint8Array<ArrayBuffer>

/** What the picture's source has, and its rendition keeps. */
interface SourceKind {
  palette: boolean
}

/** Opens the encoder for a plan. */
export async function openWriter(plan: RenderPlan, { palette }: SourceKind): Promise<Write> {
  const { format, quality = 'usual' } = plan
  if (format === 'avif') throw new Error('AVIF is not made here')
  if (format === 'gif') return writeGif
  if (format === 'png') return (picture) => writePng(picture, { palette })
  if (format === 'webp') return kept('webp', openWebp, (encoder, picture) => writeWebp(encoder, picture, quality))
  if (isByMozjpeg(plan)) return kept('mozjpeg', openMozjpeg, writeMozjpeg)
  return (picture) => withPhoton((codec) => codec.encodeJpeg(picture, quality))
}

/** One encoder is kept for the next picture, so that its memory is held once. */
let idle: { name: string; loaded: LoadedModule<unknown> } | undefined

async function kept<Codec>(
  name: string,
  open: () => Promise<LoadedModule<Codec>>,
  write: (encoder: LoadedModule<Codec>, picture: Picture) => Uint8Array<ArrayBuffer>,
): Promise<Write> {
  // What has the name was opened by the same function.
  const loaded = idle?.name === name ? (idle.loaded as LoadedModule<Codec>) : await open()
  // An encoder that traps is not used again.
  idle = undefined
  return (picture) => {
    const file = write(loaded, picture)
    if (loaded.memory.buffer.byteLength <= encoderBytes) idle = { name, loaded }
    return file
  }
}
