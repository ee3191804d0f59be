import { arithmeticImage, brokenImage, type Header, type Orientation } from '../engines/engine.ts'
import { part } from './byte-range.ts'
import { isPrefixed, readOrientation } from './exif.ts'

/** The first frame's size (ITU-T T.81, B.2.2), and what the first EXIF segment before it says. */
export function jpegHeader(head: DataView): Omit<Header, 'format'> {
  let orientation: Orientation | undefined
  for (const { marker, start, end } of segments(head)) {
    // It takes twice the memory, and no browser shows it.
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

/** Passes over the picture; each takes a decoder as long as all of a plain one, which has one for each component. */
const maxScans = { plain: 4, progressive: 50 }

/** Whether the picture has an end; what may follow it is not looked at. Throws `brokenImage` where it has too many scans. */
export function isCompleteJpeg(file: DataView): boolean {
  let [scans, most] = [0, maxScans.progressive]
  for (const { marker } of segments(file)) {
    if (marker === endOfImage) return true
    if (isFrame(marker) && marker !== progressive) most = maxScans.plain
    if (marker === startOfScan && ++scans > most) throw brokenImage()
  }
  return false
}

/** The colour profile in its APP2 segments (ICC.1:2022, annex B.4), which may come in any order. */
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

/** The number of components, and whether an Adobe marker says that the colours of print are stored inverted. */
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
/** "Adob". */
const adobe = 0x41646f62

/** The parts of a file without metadata, which end with its first picture. Throws a RangeError if that has no end. */
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

/** Application segments except those of JFIF and Adobe, which say what the colours mean; and comments. */
const isMetadata = (marker: number) => (marker >= app1 && marker <= 0xef && marker !== app14) || marker === comment

const comment = 0xfe

interface Segment {
  marker: number
  /** Where its content begins, and where it ends. */
  start: number
  end: number
}

const progressive = 0xc2
const lossless = 0xc3
/** Frames above this marker have arithmetic coding. */
const arithmetic = 0xc8
const endOfImage = 0xd9
const startOfScan = 0xda
const app1 = 0xe1

/** All but those that define Huffman tables, arithmetic conditioning, or are reserved. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Stuffed zeroes in a scan, restarts, a second beginning: nothing with a length. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** What has a length, and the end; whatever lies between, such as a scan's data, is stepped over, as decoders do. */
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

/** It counts itself; one that says it does not is of a broken file, and ends there. */
const lengthAt = (view: DataView, at: number) => Math.max(2, view.getUint16(at))

function orientationOf(bytes: Uint8Array): Orientation | undefined {
  return isPrefixed(bytes) ? readOrientation(bytes) : undefined
}
