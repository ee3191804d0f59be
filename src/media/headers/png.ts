import { brokenImage, type Header } from '../engines/engine.ts'
import { orientationIn } from './exif.ts'
import { part } from './part.ts'

/** The size in IHDR, and the orientation in an eXIf chunk that comes before the pixels. */
export function pngHeader(head: DataView): Omit<Header, 'format'> {
  if (head.getUint32(signature) !== 13 || head.getUint32(signature + 4) !== ihdr) throw brokenImage()
  const size = { width: head.getUint32(signature + 8), height: head.getUint32(signature + 12) }
  for (const { type, start, end } of chunks(head)) {
    if (type === idat) return { ...size, orientation: 1 }
    if (type === iend) throw brokenImage()
    if (type === exif) return { ...size, orientation: orientationIn(part(head, start, end)) }
  }
  throw new RangeError()
}

/** Whether there is an IEND; what may follow it is not looked at. */
export function isWholePng(file: DataView): boolean {
  for (const { type, end } of chunks(file)) if (type === iend) return end + checksum <= file.byteLength
  return false
}

/** The file without its colour profiles: nothing reads them, and decoders unpack a gigabyte of one without a word. */
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

const signature = 8
const checksum = 4
const ihdr = 0x49484452
const idat = 0x49444154
const iend = 0x49454e44
const exif = 0x65584966
const iccp = 0x69434350

function* chunks(view: DataView) {
  let at = signature
  while (at + 8 <= view.byteLength) {
    const start = at + 8
    const end = start + view.getUint32(at)
    yield { type: view.getUint32(at + 4), start, end }
    at = end + checksum
  }
}
