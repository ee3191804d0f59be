// Reads and validates the ICC colour profile of an image, for the conversion of its pixels to sRGB.
import type { ImageKind } from '../engines/engine.ts'
import { jpegComponents, jpegProfile } from './jpeg.ts'
import { pngColourType, pngProfile } from './png.ts'
import { webpProfile } from './webp.ts'

/** The colour model of the pixels in a file. */
export type ColourModel = 'grey' | 'rgb' | 'cmyk'

/** A colour profile (ICC.1:2022) that matches the colour model of its file. */
export interface Profile {
  model: ColourModel
  bytes: Uint8Array<ArrayBuffer>
}

/** Maximum size of a profile in bytes. Larger ones are ignored; printer profiles have up to 3 MB. */
const maxProfileBytes = 4 * 1024 * 1024

/** Reads the colour profile of a file. A profile that is broken, too large, or made for another colour model is ignored. */
export function readColourProfile(file: Uint8Array, kind: ImageKind): Profile | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  try {
    const bytes = readers[kind](view)
    if (!bytes || bytes.length > maxProfileBytes) return undefined
    const model = models[kind](view)
    return validatedCopy(bytes, model)
  } catch (error) {
    // A DataView throws a RangeError when it is read past its end: the profile is broken and is ignored.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the colour model of a file whose header is valid. */
export const colourModelOf = (file: Uint8Array, kind: ImageKind): ColourModel =>
  models[kind](new DataView(file.buffer, file.byteOffset, file.byteLength))

const readers: Record<ImageKind, (file: DataView) => Uint8Array | undefined> = {
  jpeg: jpegProfile,
  png: (file) => pngProfile(file, maxProfileBytes),
  webp: webpProfile,
  gif: () => undefined,
}

const models: Record<ImageKind, (file: DataView) => ColourModel> = {
  jpeg: (file) => {
    const { count } = jpegComponents(file)
    return count === 1 ? 'grey' : count === 4 ? 'cmyk' : 'rgb'
  },
  png: (file) => (pngColourType(file) % 4 === 0 ? 'grey' : 'rgb'),
  webp: () => 'rgb',
  gif: () => 'rgb',
}

const headerBytes = 128
const entryBytes = 12
const maxTags = 100

const signature = (text: string) => [...text].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)

const spaces: Record<ColourModel, number> = {
  grey: signature('GRAY'),
  rgb: signature('RGB '),
  cmyk: signature('CMYK'),
}

/**
 * Classes of profiles that are accepted: input, display and output devices, and colour spaces. Device links and named colours
 * cannot convert images.
 */
const classes = ['scnr', 'mntr', 'prtr', 'spac'].map(signature)
const connections = ['XYZ ', 'Lab '].map(signature)

/**
 * Validates a profile and copies it without floating-point tags (`D2B0` and so on): a crafted profile may name one element a hundred
 * thousand times, and each pixel would pass through all of them. The other tags have a fixed number of steps.
 */
function validatedCopy(bytes: Uint8Array, model: ColourModel): Profile | undefined {
  const copy = new Uint8Array(bytes)
  const view = new DataView(copy.buffer)
  const tags = view.getUint32(headerBytes)
  const isProfile = view.getUint32(36) === signature('acsp') && tags <= maxTags
  const fits = view.getUint32(16) === spaces[model]
  if (!isProfile || !fits || !classes.includes(view.getUint32(12)) || !connections.includes(view.getUint32(20))) return
  for (let tag = 0; tag < tags; tag++) {
    const at = headerBytes + 4 + tag * entryBytes
    if (isFloat(view.getUint32(at))) view.setUint32(at, 0)
  }
  return { model, bytes: copy }
}

const floatTags = ['D2B', 'B2D'].map(signature)
const isFloat = (tag: number) => floatTags.includes(tag >>> 8)
