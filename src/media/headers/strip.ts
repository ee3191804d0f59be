import type { Kind } from '../engines/engine.ts'
import { strippedJpeg } from './jpeg.ts'
import { strippedPng } from './png.ts'
import { strippedWebp } from './webp.ts'

/**
 * A still image's file without what is not needed to show it, such as EXIF, XMP and comments; its pixels and its colour
 * profile stay as they are. Undefined for an animation, and for a GIF, which may be one.
 */
export function withoutMetadata(file: Uint8Array, kind: Kind): Uint8Array<ArrayBuffer> | undefined {
  const parts = strippers[kind](new DataView(file.buffer, file.byteOffset, file.byteLength))
  return parts && new Uint8Array(Buffer.concat(parts))
}

const strippers: Record<Kind, (file: DataView) => Uint8Array[] | undefined> = {
  jpeg: strippedJpeg,
  png: strippedPng,
  webp: strippedWebp,
  gif: () => undefined,
}
