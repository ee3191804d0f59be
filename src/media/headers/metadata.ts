// Removes the metadata of an image file without encoding the image again.
import type { ImageKind } from '../engines/engine.ts'
import { strippedJpeg } from './jpeg.ts'
import { strippedPng } from './png.ts'
import { strippedWebp } from './webp.ts'

/**
 * Removes the metadata of a still image, such as EXIF, XMP, previews and comments. Pixels and colour profile do not change. Returns
 * undefined for an animation, for a GIF, which may be an animation, and for a truncated file.
 */
export function withoutMetadata(file: Uint8Array, kind: ImageKind): Uint8Array<ArrayBuffer> | undefined {
  const parts = partsOf(new DataView(file.buffer, file.byteOffset, file.byteLength), kind)
  return parts && new Uint8Array(Buffer.concat(parts))
}

function partsOf(file: DataView, kind: ImageKind): Uint8Array[] | undefined {
  try {
    return strippers[kind](file)
  } catch (error) {
    // A DataView throws a RangeError when it is read past its end: the file is truncated, and its metadata cannot be removed.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const strippers: Record<ImageKind, (file: DataView) => Uint8Array[] | undefined> = {
  jpeg: strippedJpeg,
  png: strippedPng,
  webp: strippedWebp,
  gif: () => undefined,
}
