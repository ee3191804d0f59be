import type { ImageKind } from '../engines/engine.ts'
import { strippedJpeg } from './jpeg.ts'
import { strippedPng } from './png.ts'
import { strippedWebp } from './webp.ts'

/**
 * A still image's file without what is not needed to show it, such as EXIF, XMP, previews and comments; its pixels and its colour
 * profile stay as they are. Undefined for an animation, for a GIF, which may be one, and for a file that is cut off.
 */
export function withoutMetadata(file: Uint8Array, kind: ImageKind): Uint8Array<ArrayBuffer> | undefined {
  const parts = partsOf(new DataView(file.buffer, file.byteOffset, file.byteLength), kind)
  return parts && new Uint8Array(Buffer.concat(parts))
}

function partsOf(file: DataView, kind: ImageKind): Uint8Array[] | undefined {
  try {
    return strippers[kind](file)
  } catch (error) {
    // Thrown by a DataView that is read past its end.
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
