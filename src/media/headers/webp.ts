// Reads the size, orientation, colour profile and end of a WebP from its chunks, removes its metadata, and extracts its first
// frame.
import { brokenImage, type Header, type ImageSize, type Orientation } from '../engines/engine.ts'
import { part } from './byte-range.ts'
import { readOrientation } from './exif.ts'

/**
 * Reads the size of the canvas, and the orientation in the EXIF chunk, which is at the end of the file. Rejects a file whose first
 * frame is larger than the canvas: decoders allocate memory for the frame, and the memory estimate uses the canvas.
 */
export function webpHeader(head: DataView): Omit<Header, 'format'> {
  const [frame] = frames(head, endOf(head))
  if (!frame) throw brokenImage()
  if (!isExtended(head)) return { ...frame, orientation: 1 }
  const canvas = canvasOf(head)
  if (!fits(frame, canvas)) throw brokenImage()
  const hasExif = (head.getUint8(first + 8) & 0x08) !== 0
  return { ...canvas, orientation: hasExif ? orientationOf(head) : 1 }
}

/**
 * Whether the file has its declared size, and all frames fit into the canvas. Checks the bytes after the declared end too, since
 * decoders read them.
 */
export function isCompleteWebp(file: DataView): boolean {
  // One missing byte is accepted: some writers omit the padding byte of the last chunk, but count it in the size.
  if (file.byteLength + 1 < endOf(file)) return false
  if (!isExtended(file)) return true
  const canvas = canvasOf(file)
  return frames(file, file.byteLength).every((frame) => frame && fits(frame, canvas))
}

/** Reads the colour profile from the chunk ICCP. */
export function webpProfile(file: DataView): Uint8Array | undefined {
  if (!isExtended(file)) return undefined
  for (const { type, start, end } of chunks(file, first, file.byteLength)) {
    if (type === iccp) return part(file, start, end)
  }
  return undefined
}

/** Returns the parts of a file without EXIF and XMP; undefined for an animation. */
export function strippedWebp(file: DataView): Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  for (const { type, start, end } of chunks(file, first, Math.min(endOf(file), file.byteLength))) {
    if (type === anmf) return undefined
    if (type !== exif && type !== xmp) parts.push(part(file, start - 8, end + (end % 2)))
  }
  const head = part(file, 0, first).slice()
  const size = parts.reduce((sum, { length }) => sum + length, 4)
  new DataView(head.buffer).setUint32(4, size, true)
  if (!isExtended(file)) return [head, ...parts]
  const [extension, ...rest] = parts
  const copy = extension!.slice()
  copy[8]! &= ~metadataFlags
  return [head, copy, ...rest]
}

/** Bits in a VP8X chunk that announce the chunks EXIF and XMP. Cleared when these chunks are removed. */
const metadataFlags = 0x08 | 0x04

/**
 * A WebP file with one frame. If the frame is smaller than its canvas, `canvas`, `x` and `y` have the size of the canvas and the
 * position of the frame.
 */
interface SingleFrame {
  frame: Uint8Array
  canvas?: ImageSize
  x: number
  y: number
}

/**
 * Extracts the first frame of an animation as a still image, since the decoder reads no animations. Returns any other file
 * unchanged. Throws `brokenImage` if the frame is not inside its canvas.
 */
export function firstFrame(file: Uint8Array): SingleFrame {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const all = { frame: file, x: 0, y: 0 }
  if (!isExtended(view)) return all
  for (const { type, start, end } of chunks(view, first, file.byteLength)) {
    if (type === vp8 || type === vp8l) return all
    if (type !== anmf) continue
    const size = frames(view, file.byteLength).next().value
    if (!size || end > file.byteLength) throw brokenImage()
    const canvas = canvasOf(view)
    const [x, y] = [2 * u24(view, start), 2 * u24(view, start + 3)]
    if (x + size.width > canvas.width || y + size.height > canvas.height) throw brokenImage()
    const isPart = size.width !== canvas.width || size.height !== canvas.height
    return { frame: stillOf(part(view, start + frameHeadBytes, end), size), ...(isPart && { canvas }), x, y }
  }
  return all
}

/**
 * Size of the header of an animation's frame in bytes. The chunks of a still image follow this header (RFC 9649, section 2.7.1.1).
 */
const frameHeadBytes = 16

/** Builds a still image from the chunks of a frame, with the alpha flag set so that decoders look for an alpha channel. */
function stillOf(content: Uint8Array, { width, height }: ImageSize): Uint8Array {
  const file = new Uint8Array(first + 18 + content.length)
  const view = new DataView(file.buffer)
  const text = new TextEncoder()
  text.encodeInto('RIFF', file)
  view.setUint32(4, file.length - 8, true)
  text.encodeInto('WEBPVP8X', file.subarray(8))
  view.setUint32(first + 4, 10, true)
  view.setUint8(first + 8, 0x10)
  view.setUint32(first + 12, width - 1, true)
  // Width and height have three bytes each, but are written with four: the height overwrites the fourth byte of the width.
  view.setUint16(first + 15, (height - 1) & 0xffff, true)
  view.setUint8(first + 17, (height - 1) >> 16)
  file.set(content, first + 18)
  return file
}

const first = 12
const fourCharacters = (text: string) => [...text].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)
const vp8x = fourCharacters('VP8X')
const vp8 = fourCharacters('VP8 ')
const vp8l = fourCharacters('VP8L')
const anmf = fourCharacters('ANMF')
const exif = fourCharacters('EXIF')
const xmp = fourCharacters('XMP ')
const iccp = fourCharacters('ICCP')

const endOf = (view: DataView) => 8 + view.getUint32(4, true)
const u24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000

const isExtended = (view: DataView) => view.getUint32(first) === vp8x

const canvasOf = (view: DataView): ImageSize => ({
  width: 1 + u24(view, first + 12),
  height: 1 + u24(view, first + 15),
})

const fits = (frame: ImageSize, canvas: ImageSize) => frame.width <= canvas.width && frame.height <= canvas.height

/** Yields the sizes of all frames before an offset, including those of an animation. Yields undefined for a broken frame. */
function* frames(view: DataView, last: number): Generator<ImageSize | undefined> {
  for (const chunk of chunks(view, first, last)) {
    const parts = chunk.type === anmf ? chunks(view, chunk.start + frameHeadBytes, chunk.end) : [chunk]
    for (const { type, start } of parts) {
      if (type === vp8) yield lossySize(view, start)
      if (type === vp8l) yield losslessSize(view, start)
    }
  }
}

/** Reads the size in the header of a VP8 frame (RFC 6386, section 9.1). */
function lossySize(view: DataView, start: number): ImageSize | undefined {
  if (view.getUint8(start + 3) !== 0x9d || view.getUint16(start + 4) !== 0x012a) return undefined
  return { width: view.getUint16(start + 6, true) & 0x3fff, height: view.getUint16(start + 8, true) & 0x3fff }
}

/** Reads the size in the header of a VP8L frame (RFC 9649, section 3.4). */
function losslessSize(view: DataView, start: number): ImageSize | undefined {
  if (view.getUint8(start) !== 0x2f) return undefined
  const bits = view.getUint32(start + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function orientationOf(view: DataView): Orientation {
  for (const { type, start, end } of chunks(view, first, endOf(view))) {
    if (type === exif) return readOrientation(part(view, start, end))
  }
  return 1
}

function* chunks(view: DataView, from: number, last: number) {
  for (let at = from; at + 8 <= last; ) {
    const type = view.getUint32(at)
    const start = at + 8
    const end = start + view.getUint32(at + 4, true)
    yield { type, start, end }
    at = end + (end % 2)
  }
}
