import type { ImageKind } from './engines/engine.ts'
import { isWholeGif } from './headers/gif.ts'
import { isWholeJpeg } from './headers/jpeg.ts'
import { isWholePng } from './headers/png.ts'
import { isWholeWebp } from './headers/webp.ts'

/** Whether a picture's file has its end: decoders make something of what was cut off. Throws `brokenImage` at what no decoder is given. */
export function isWhole(file: Uint8Array, kind: ImageKind): boolean {
  try {
    return ends[kind](new DataView(file.buffer, file.byteOffset, file.byteLength))
  } catch (error) {
    // Thrown by a DataView that is read past its end.
    if (error instanceof RangeError) return false
    throw error
  }
}

const ends: Record<ImageKind, (file: DataView) => boolean> = {
  jpeg: isWholeJpeg,
  png: isWholePng,
  webp: isWholeWebp,
  gif: isWholeGif,
}
