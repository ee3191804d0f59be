import { type Profile, readColourProfile } from '../headers/colour-profile.ts'
import { jpegComponents } from '../headers/jpeg.ts'
import { pngColourType, withoutProfiles } from '../headers/png.ts'
import { isCompleteImage } from '../image-header.ts'
import { decodeCmyk } from './cmyk-decoder.ts'
import { type Decode, dropDecoder, openDecoder } from './decoders.ts'
import { openWriter } from './encoders.ts'
import { brokenImage, type Engine, type Header, type ImageSource, type RenderPlan } from './engine.ts'
import { maxDecoderBytes, requiredBytes } from './memory-budget.ts'
import { MemoryExceeded } from './memory-limit.ts'
import { inTurn } from './memory-queue.ts'
import type { Pixels } from './photon-codec.ts'
import { draw } from './pixel-transform.ts'
import { type Converter, converterFor, dropConverter, idleConverterBytes } from './srgb-converter.ts'

/** Makes pictures in the Worker itself: all but AVIF, of what `fitsIsolate`. */
export const workerEngine = {
  check: (source: ImageSource) =>
    inTurn(source.size, async () => {
      const { header } = source
      const file = await wholeFile(source)
      const decode = await openDecoder(header)
      makeRoomForDecoder(source)
      decode(partsOf(file, header), (pixels) => assertSize(pixels, header))
    }),

  render: (source: ImageSource, plan: RenderPlan) =>
    inTurn(source.size, async () => {
      const { header } = source
      const file = await wholeFile(source)
      const profile = readColourProfile(file, header.format)
      const write = await openWriter(plan, { palette: hasPalette(file, header) })
      const decode = await openDecoder(header)
      // Nothing is awaited from here on, so that one picture at a time is decoded.
      const converter = profile && converterFor(profile, isInverted(file, profile))
      if (converter) makeRoom(source, plan, converter)
      else makeRoomForDecoder(source, plan)
      if (converter?.model === 'cmyk') return write(drawInks(file, header, plan, converter))
      const picture = drawColours(decode, file, header, plan)
      // Once it is scaled, there is less to convert.
      converter?.convert(picture.data)
      return write(picture)
    }),
} satisfies Engine

/** Makes room for a conversion beside the decoder. Throws `MemoryExceeded` if there is too little memory for both. */
function makeRoom({ header, size }: ImageSource, plan: RenderPlan, converter: Converter) {
  if (requiredBytes(header, size, plan, converter) > maxDecoderBytes) throw new MemoryExceeded()
  // CMYK is decoded by another decoder.
  dropDecoder(converter.model === 'cmyk' ? 0 : maxDecoderBytes - converter.memory)
}

/** Keeps the idle converter only if it fits beside the decoder of a picture that needs none. */
function makeRoomForDecoder({ header, size }: ImageSource, plan?: RenderPlan) {
  const held = idleConverterBytes()
  if (requiredBytes(header, size, plan) + held > maxDecoderBytes) dropConverter()
  else dropDecoder(maxDecoderBytes - held)
}

const drawColours = (decode: Decode, file: Uint8Array, header: Header, plan: RenderPlan) =>
  decode(partsOf(file, header), (pixels) => {
    assertSize(pixels, header)
    return draw(pixels, plan)
  })

/** Cyan, magenta, yellow and black are converted before they are scaled: `draw` takes the fourth for alpha. */
function drawInks(file: Uint8Array, header: Header, plan: RenderPlan, { convert }: Converter) {
  const pixels = decodeCmyk(file)
  assertSize(pixels, header)
  convert(pixels.data)
  return draw(pixels, plan)
}

async function wholeFile({ header, bytes }: ImageSource): Promise<Uint8Array> {
  const file = await bytes()
  // Decoders make something of a file without its end.
  if (!isCompleteImage(file, header.format)) throw brokenImage()
  return file
}

const partsOf = (file: Uint8Array, { format }: Header) => (format === 'png' ? withoutProfiles(file) : [file])

/** The plan, and the memory that there is for it, are for the size in the header. */
function assertSize({ width, height }: Pixels, header: Header) {
  if (width !== header.width || height !== header.height) throw brokenImage()
}

const viewOf = (file: Uint8Array) => new DataView(file.buffer, file.byteOffset, file.byteLength)

const paletteColourType = 3

const hasPalette = (file: Uint8Array, { format }: Header) =>
  format === 'png' && pngColourType(viewOf(file)) === paletteColourType

const isInverted = (file: Uint8Array, { model }: Profile) => model === 'cmyk' && jpegComponents(viewOf(file)).isInverted
