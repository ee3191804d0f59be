// The image engine that runs in the media Worker, with codecs compiled to WebAssembly.
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
      // Everything after this line is synchronous, so that the isolate decodes one image at a time and its memory suffices.
      const converter = profile && converterFor(profile, isInverted(file, profile))
      if (converter) makeRoom(source, plan, converter)
      else makeRoomForDecoder(source, plan)
      if (converter?.model === 'cmyk') return encode(renderCmyk(file, header, plan, converter))
      const pixels = renderColours(decode, file, header, plan)
      // Converts the colours after scaling, since there are fewer pixels then.
      converter?.convert(pixels.data)
      return encode(pixels)
    }),
} satisfies Engine

/**
 * Drops the idle decoder if it does not fit beside a converter to sRGB. Throws `MemoryExceeded` if not even this image and the
 * converter fit.
 */
function makeRoom({ header, size }: ImageSource, plan: RenderPlan, converter: Converter) {
  if (requiredBytes(header, size, plan, converter) > maxDecoderBytes) throw new MemoryExceeded()
  // CMYK is decoded by a separate decoder, so the idle decoder is dropped in any case.
  dropDecoder(converter.model === 'cmyk' ? 0 : maxDecoderBytes - converter.memory)
}

/** Drops the idle converter or the idle decoder if the memory for this image does not suffice otherwise. */
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

/** Renders a CMYK image. Converts it to RGBA before scaling: `transformPixels` would treat the fourth value, black, as alpha. */
function renderCmyk(file: Uint8Array, header: Header, plan: RenderPlan, { convert }: Converter) {
  const pixels = decodeCmyk(file)
  assertSize(pixels, header)
  convert(pixels.data)
  return transformPixels(pixels, plan)
}

async function completeFile({ header, bytes }: ImageSource): Promise<Uint8Array> {
  const file = await bytes()
  // Decoders accept truncated files, so the end of the file is checked first.
  if (!isCompleteImage(file, header.format)) throw brokenImage()
  return file
}

const partsOf = (file: Uint8Array, { format }: Header) => (format === 'png' ? withoutProfiles(file) : [file])

/** Rejects an image whose decoded size differs from its header: the plan and the memory estimate are based on the header. */
function assertSize({ width, height }: Pixels, header: Header) {
  if (width !== header.width || height !== header.height) throw brokenImage()
}

const viewOf = (file: Uint8Array) => new DataView(file.buffer, file.byteOffset, file.byteLength)

const paletteColourType = 3

const hasPalette = (file: Uint8Array, { format }: Header) =>
  format === 'png' && pngColourType(viewOf(file)) === paletteColourType

const isInverted = (file: Uint8Array, { model }: Profile) => model === 'cmyk' && jpegComponents(viewOf(file)).isInverted
