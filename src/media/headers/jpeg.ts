// Reads the size, orientation, colour profile and end of a JPEG from its segments, and removes its metadata.
import { arithmeticImage, brokenImage, type Header, type Orientation } from '../engines/engine.ts'
import { part } from './byte-range.ts'
import { isPrefixed, readOrientation } from './exif.ts'

/** Reads the size in the first frame header (ITU-T T.81, B.2.2), and the orientation in the first EXIF segment before it. */
export function jpegHeader(head: DataView): Omit<Header, 'format'> {
  let orientation: Orientation | undefined
  for (const { marker, start, end } of segments(head)) {
    // Lossless JPEG is rejected: decoding takes twice the memory that was estimated, and no browser displays it.
    if (marker === lossless) throw brokenImage()
    if (isFrame(marker) && marker > arithmetic) throw arithmeticImage()
    if (isFrame(marker)) {
      return { height: head.getUint16(start + 1), width: head.getUint16(start + 3), orientation: orientation ?? 1 }
    }
    if (marker === endOfImage || marker === startOfScan) throw brokenImage()
    if (marker === app1) orientation ??= orientationOf(part(head, start, end))
  }
  throw new RangeError()
}

/**
 * Maximum number of scans by kind of JPEG. Decoding a scan takes about as long as a whole baseline image, so that a crafted file
 * with many scans would exhaust the CPU.
 */
const maxScans = { baseline: 4, progressive: 50 }

/**
 * Whether the file has an end marker, so that it is complete. Bytes after the marker are ignored. Throws `brokenImage` if there are
 * too many scans.
 */
export function isCompleteJpeg(file: DataView): boolean {
  let [scans, limit] = [0, maxScans.progressive]
  for (const { marker } of segments(file)) {
    if (marker === endOfImage) return true
    if (isFrame(marker) && marker !== progressive) limit = maxScans.baseline
    if (marker === startOfScan && ++scans > limit) throw brokenImage()
  }
  return false
}

/** Reads the colour profile from the APP2 segments (ICC.1:2022, annex B.4), which may be in any order. */
export function jpegProfile(file: DataView): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  let total = 0
  for (const { marker, start, end } of segments(file)) {
    if (marker === startOfScan) break
    if (marker !== app2 || !isProfile(part(file, start, end))) continue
    const [number, count] = [file.getUint8(start + profileMark.length), file.getUint8(start + profileMark.length + 1)]
    total ||= count
    if (number < 1 || number > count || count !== total) return undefined
    parts[number - 1] = part(file, start + profileMark.length + 2, end)
  }
  const found = parts.filter((part) => part !== undefined)
  return total > 0 && found.length === total ? Buffer.concat(found) : undefined
}

const profileMark = new TextEncoder().encode('ICC_PROFILE\0')
const isProfile = (bytes: Uint8Array) =>
  bytes.length > profileMark.length + 2 && profileMark.every((byte, i) => byte === bytes[i])

/** Reads the number of components, and whether CMYK values are inverted, which an Adobe marker implies. */
export function jpegComponents(file: DataView): { count: number; isInverted: boolean } {
  let isInverted = false
  for (const { marker, start, end } of segments(file)) {
    if (isFrame(marker)) return { count: file.getUint8(start + 5), isInverted }
    if (marker === app14 && end - start >= 12 && file.getUint32(start) === adobe) isInverted = true
  }
  throw brokenImage()
}

const app2 = 0xe2
const app14 = 0xee
/** The letters "Adob" as a number: the beginning of the marker in an APP14 segment. */
const adobe = 0x41646f62

/** Returns the parts of a file without metadata, up to the end of the first image. Throws a RangeError if the image has no end. */
export function strippedJpeg(file: DataView): Uint8Array[] {
  const parts: Uint8Array[] = []
  let from = 0
  for (const { marker, start, end } of segments(file)) {
    if (marker === endOfImage) return [...parts, part(file, from, end)]
    if (!isMetadata(marker) || (marker === app2 && isProfile(part(file, start, end)))) continue
    parts.push(part(file, from, start - 4))
    from = end
  }
  throw new RangeError()
}

/**
 * Whether a segment has metadata: comments and application segments, except those of JFIF and Adobe, which define the meaning of
 * the colours.
 */
const isMetadata = (marker: number) => (marker >= app1 && marker <= 0xef && marker !== app14) || marker === comment

const comment = 0xfe

interface Segment {
  marker: number
  /** Offsets of the start and the end of the segment's content. */
  start: number
  end: number
}

const progressive = 0xc2
const lossless = 0xc3
/** Frame markers above this one mean arithmetic coding. */
const arithmetic = 0xc8
const endOfImage = 0xd9
const startOfScan = 0xda
const app1 = 0xe1

/**
 * Whether a marker begins a frame header (SOF). The markers for Huffman tables, arithmetic conditioning and extensions lie in the
 * same range, and are excluded.
 */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Whether a marker has no length after it: stuffed zeros, restart markers, start of image. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * Yields the segments that have a length, and the end of the image. Skips all bytes in between, such as scan data, as decoders do.
 */
function* segments(view: DataView): Generator<Segment> {
  const bytes = part(view, 0, view.byteLength)
  let at = bytes.indexOf(0xff, 2)
  while (at !== -1 && at + 1 < bytes.length) {
    const marker = bytes[at + 1]!
    let end = at + 2
    if (marker === 0xff) end = at + 1
    else if (marker === endOfImage) yield { marker, start: end, end }
    else if (!isBare(marker)) {
      const start = at + 4
      end = at + 2 + lengthAt(view, at + 2)
      yield { marker, start, end }
    }
    at = bytes.indexOf(0xff, end)
  }
}

/**
 * Returns the length of a segment, which includes its two bytes of length field. A smaller value means a broken file, and counts as
 * 2 so that the reader advances.
 */
const lengthAt = (view: DataView, at: number) => Math.max(2, view.getUint16(at))

function orientationOf(bytes: Uint8Array): Orientation | undefined {
  return isPrefixed(bytes) ? readOrientation(bytes) : undefined
}
