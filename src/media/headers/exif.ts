// Reads the orientation of an image from its EXIF metadata.
import type { Orientation } from '../engines/engine.ts'

/**
 * Reads the EXIF orientation from a TIFF structure (tag 0x0112 of its first directory). Returns 1, which means upright, if the
 * structure has none.
 */
export function readOrientation(bytes: Uint8Array): Orientation {
  const skipped = isPrefixed(bytes) ? prefix.length : 0
  const tiff = new DataView(bytes.buffer, bytes.byteOffset + skipped, bytes.byteLength - skipped)
  try {
    return valueIn(tiff)
  } catch (error) {
    // A DataView throws a RangeError when it is read past its end. Broken EXIF data does not make an image invalid.
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** The bytes "Exif\0\0", which precede the TIFF structure in a JPEG. Some writers copy these bytes into other formats too. */
const prefix = [0x45, 0x78, 0x69, 0x66, 0, 0]

export const isPrefixed = (bytes: Uint8Array) => prefix.every((byte, i) => byte === bytes[i])

const orientationTag = 0x0112
const short = 3
const entrySize = 12

function valueIn(tiff: DataView): Orientation {
  const isLittle = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  const count = tiff.getUint16(directory, isLittle)
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * entrySize
    if (tiff.getUint16(entry, isLittle) !== orientationTag) continue
    const isShort = tiff.getUint16(entry + 2, isLittle) === short
    const value = isShort ? tiff.getUint16(entry + 8, isLittle) : tiff.getUint32(entry + 8, isLittle)
    return isOrientation(value) ? value : 1
  }
  return 1
}

const isOrientation = (value: number): value is Orientation => value >= 1 && value <= 8
