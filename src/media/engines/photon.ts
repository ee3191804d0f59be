import { withoutProfiles } from '../headers/png.ts'
import { isWhole } from '../whole.ts'
import { type Codec, openCodec, type Pixels } from './codec.ts'
import { draw } from './draw.ts'
import { brokenImage, type Engine, type Header, type Plan, type Source } from './engine.ts'
import { writeGif } from './gif.ts'
import { mostMemory } from './memory.ts'
import { inTurn } from './turn.ts'
import { openWebp } from './webp.ts'

/** Makes pictures in the Worker itself: all but AVIF, of what `fitsIsolate`. */
export const photon = {
  check: (source: Source) =>
    inTurn(source.size, async () => {
      const file = await partsOf(source)
      withCodec((codec) => codec.decode(file, (pixels) => assertSize(pixels, source.header)))
    }),

  render: (source: Source, plan: Plan) =>
    inTurn(source.size, async () => {
      const file = await partsOf(source)
      const write = await openWriter(plan)
      // Nothing is awaited from here on, so that one picture at a time is decoded.
      return withCodec((codec) => {
        const picture = codec.decode(file, (pixels) => {
          assertSize(pixels, source.header)
          return draw(pixels, plan)
        })
        return write(codec, picture)
      })
    }),
} satisfies Engine

let idle: Codec | undefined

/**
 * One is used again and again, so that what it holds is held once: the collector is in no hurry with what others leave.
 * Only one that threw is not.
 */
function withCodec<T>(use: (codec: Codec) => T): T {
  const codec = idle ?? openCodec()
  idle = undefined
  const result = use(codec)
  if (codec.memory <= mostMemory) idle = codec
  return result
}

/** What of a file is decoded. Decoders make something of one without its end. */
async function partsOf({ header, bytes }: Source): Promise<Uint8Array[]> {
  const file = await bytes()
  if (!isWhole(file, header.format)) throw brokenImage()
  return header.format === 'png' ? withoutProfiles(file) : [file]
}

/** The plan, and the memory that there is for it, are for the size in the header. */
function assertSize({ width, height }: Pixels, header: Header) {
  if (width !== header.width || height !== header.height) throw brokenImage()
}

type Write = (codec: Codec, picture: Pixels<Uint8ClampedArray<ArrayBuffer>>) => Uint8Array<ArrayBuffer>

async function openWriter({ format, quality = 'usual' }: Plan): Promise<Write> {
  if (format === 'avif') throw new Error('AVIF is not made here')
  if (format === 'gif') return (_, picture) => writeGif(picture)
  if (format !== 'webp') return (codec, picture) => codec.encode(picture, format, quality)
  const write = await openWebp()
  return (_, picture) => write(picture, quality)
}
