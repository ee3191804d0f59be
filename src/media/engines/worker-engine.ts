import { type Profile, readColourProfile } from '../headers/colour-profile.ts'
import { jpegComponents } from '../headers/jpeg.ts'
import { pngColourType, withoutProfiles } from '../headers/png.ts'
import { isCompleteImage } from '../image-header.ts'
import { decodeCmyk } from './cmyk-decoder.ts'
import { type Decode, dropDecoder, openDecoder } from './decoders.ts'
import { openEncoder } from './encoders.ts'
import { brokenImage, type Engine, type Header, type ImageSource, type RenderPlan } from './engine.ts'
import { maxDecoderBytes, requiredBytes } from './memory-budget.ts'
import { MemoryExceeded } from './memory-limit.ts'
import { withMemory } from './memory-queue.ts'
import type { Pixels } from './photon-codec.ts'
import { transformPixels } from './pixel-transform.ts'
import { type Converter, converterFor, dropConverter, idleConverterBytes } from './srgb-converter.ts'

/** Processes images in the Worker itself: all formats but AVIF, for images that `fitsIsolate` accepts. */
export const workerEngine = {
  check: (source: ImageSource) =>
    withMemory(source.size, async () => {
      const { header } = source
      const file = await completeFile(source)
      const decode = await openDecoder(header)
      makeRoomForDecoder(source)
      decode(partsOf(file, header), (pixels) => assertSize(pixels, header))
    }),

  render: (source: ImageSource, plan: RenderPlan) =>
    withMemory(source.size, async () => {
      const { header } = source
      const file = await completeFile(source)
      const profile = readColourProfile(file, header.format)
      const encode = await openEncoder(plan, { palette: hasPalette(file, header) })
      const decode = await openDecoder(header)
      // The rest is synchronous, so that the isolate decodes one image at a time.
      const converter = profile && converterFor(profile, isInverted(file, profile))
      if (converter) makeRoom(source, plan, converter)
      else makeRoomForDecoder(source, plan)
      if (converter?.model === 'cmyk') return encode(renderCmyk(file, header, plan, converter))
      const pixels = renderColours(decode, file, header, plan)
      // Converts after scaling, since there are fewer pixels then.
      converter?.convert(pixels.data)
      return encode(pixels)
    }),
} satisfies Engine

/** Makes room for a converter in addition to the decoder. Throws `MemoryExceeded` if both do not fit. */
function makeRoom({ header, size }: ImageSource, plan: RenderPlan, converter: Converter) {
  if (requiredBytes(header, size, plan, converter) > maxDecoderBytes) throw new MemoryExceeded()
  // CMYK has a separate decoder, so the idle one is not needed.
  dropDecoder(converter.model === 'cmyk' ? 0 : maxDecoderBytes - converter.memory)
}

/** Drops the idle converter, or the idle decoder, if both do not fit into memory. */
function makeRoomForDecoder({ header, size }: ImageSource, plan?: RenderPlan) {
  const held = idleConverterBytes()
  if (requiredBytes(header, size, plan) + held > maxDecoderBytes) dropConverter()
  else dropDecoder(maxDecoderBytes - held)
}

const renderColours = (decode: Decode, file: Uint8Array, header: Header, plan: RenderPlan) =>
  decode(partsOf(file, header), (pixels) => {
    assertSize(pixels, header)
    return transformPixels(pixels, plan)
  })

/** Converts CMYK before scaling: `transformPixels` would treat black as alpha. */
function renderCmyk(file: Uint8Array, header: Header, plan: RenderPlan, { convert }: Converter) {
  const pixels = decodeCmyk(file)
  assertSize(pixels, header)
  convert(pixels.data)
  return transformPixels(pixels, plan)
}

async function completeFile({ header, bytes }: ImageSource): Promise<Uint8Array> {
  const file = await bytes()
  // Decoders accept truncated files.
  if (!isCompleteImage(file, header.format)) throw brokenImage()
  return file
}

const partsOf = (file: Uint8Array, { format }: Header) => (format === 'png' ? withoutProfiles(file) : [file])

/** The plan and the memory estimate assume the size in the header. */
function assertSize({ width, height }: Pixels, header: Header) {
  if (width !== header.width || height !== header.height) throw brokenImage()
}

const viewOf = (file: Uint8Array) => new DataView(file.buffer, file.byteOffset, file.byteLength)

const paletteColourType = 3

const hasPalette = (file: Uint8Array, { format }: Header) =>
  format === 'png' && pngColourType(viewOf(file)) === paletteColourType

const isInverted = (file: Uint8Array, { model }: Profile) => model === 'cmyk' && jpegComponents(viewOf(file)).isInverted
