// Reads the size, orientation, colour profile and end of a PNG from its chunks, and removes its metadata and profiles.
import { inflateSync } from 'node:zlib'
import { brokenImage, type Header } from '../engines/engine.ts'
import { part } from './byte-range.ts'
import { readOrientation } from './exif.ts'

/** Reads the size in IHDR, and the orientation in an eXIf chunk before the pixels. */
export function pngHeader(head: DataView): Omit<Header, 'format'> {
  if (head.getUint32(signature) !== 13 || head.getUint32(signature + 4) !== ihdr) throw brokenImage()
  const size = { width: head.getUint32(signature + 8), height: head.getUint32(signature + 12) }
  for (const { type, start, end } of chunks(head)) {
    if (type === idat) return { ...size, orientation: 1 }
    if (type === iend) throw brokenImage()
    if (type === exif) return { ...size, orientation: readOrientation(part(head, start, end)) }
  }
  throw new RangeError()
}

/** Whether the file has an IEND chunk, so that it is complete. Bytes after that chunk are ignored. */
export function isCompletePng(file: DataView): boolean {
  for (const { type, end } of chunks(file)) if (type === iend) return end + checksum <= file.byteLength
  return false
}

/** Returns the chunks that are needed to display the image; undefined for an animation. */
export function strippedPng(file: DataView): Uint8Array[] | undefined {
  const parts = [part(file, 0, signature)]
  for (const { type, start, end } of chunks(file)) {
    if (type === actl) return undefined
    if (displayChunks.has(type)) parts.push(part(file, start - 8, end + checksum))
    if (type === iend) return parts
  }
  throw new RangeError()
}

/**
 * Removes the colour profiles before a file is decoded. The decoder would inflate them, and a small compressed profile can inflate
 * to a gigabyte.
 */
export function withoutProfiles(file: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  let from = 0
  for (const { type, start, end } of chunks(new DataView(file.buffer, file.byteOffset, file.byteLength))) {
    if (type !== iccp) continue
    parts.push(file.subarray(from, start - 8))
    from = end + checksum
  }
  return [...parts, file.subarray(from)]
}

/** Returns the colour type in the chunk IHDR: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
export const pngColourType = (file: DataView): number => file.getUint8(signature + 17)

/**
 * Reads the colour profile from the chunk iCCP, which has a name, a zero byte, the compression method, and the deflated profile.
 */
export function pngProfile(file: DataView, maxBytes: number): Uint8Array | undefined {
  for (const { type, start, end } of chunks(file)) {
    if (type === idat) return undefined
    if (type !== iccp) continue
    const content = part(file, start, end)
    const name = content.indexOf(0)
    if (name < 1 || name > maxNameBytes) return undefined
    return inflated(content.subarray(name + 2), maxBytes)
  }
  return undefined
}

const maxNameBytes = 79

/**
 * Inflates bytes. Returns undefined if these are broken or inflate to more than `maxBytes`: a crafted chunk can inflate to a
 * gigabyte.
 */
function inflated(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}

const signature = 8
const checksum = 4
const ihdr = 0x49484452
const idat = 0x49444154
const iend = 0x49454e44
const exif = 0x65584966
const iccp = 0x69434350
const actl = 0x6163544c
/**
 * Chunks that affect how the image looks: pixels, palette, transparency, and the colour chunks cHRM, gAMA, iCCP, sBIT, sRGB and
 * cICP. All others are metadata.
 */
const displayChunks = new Set([
  ...[ihdr, 0x504c5445, 0x74524e53, idat, iend],
  ...[0x6348524d, 0x67414d41, iccp, 0x73424954, 0x73524742, 0x63494350],
])

function* chunks(view: DataView) {
  let at = signature
  while (at + 8 <= view.byteLength) {
    const start = at + 8
    const end = start + view.getUint32(at)
    yield { type: view.getUint32(at + 4), start, end }
    at = end + checksum
  }
}
