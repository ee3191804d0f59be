import { brokenImage, type Header, type Orientation, type Size } from '../engines/engine.ts'
import { orientationIn } from './exif.ts'
import { part } from './part.ts'

/**
 * The canvas, and the orientation where there is an EXIF chunk, which lies at the end. A first frame that is larger is
 * refused: decoders take memory for that one.
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

/** Whether there are as many bytes as it says, and all frames fit into the canvas; decoders read what follows, too. */
export function isWholeWebp(file: DataView): boolean {
  // Some writers leave out the last chunk's byte of padding, and count it.
  if (file.byteLength + 1 < endOf(file)) return false
  if (!isExtended(file)) return true
  const canvas = canvasOf(file)
  return frames(file, file.byteLength).every((frame) => frame && fits(frame, canvas))
}

const first = 12
const fourCharacters = (text: string) => [...text].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)
const vp8x = fourCharacters('VP8X')
const vp8 = fourCharacters('VP8 ')
const vp8l = fourCharacters('VP8L')
const anmf = fourCharacters('ANMF')
const exif = fourCharacters('EXIF')

const endOf = (view: DataView) => 8 + view.getUint32(4, true)
const u24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000

const isExtended = (view: DataView) => view.getUint32(first) === vp8x

const canvasOf = (view: DataView): Size => ({ width: 1 + u24(view, first + 12), height: 1 + u24(view, first + 15) })

const fits = (frame: Size, canvas: Size) => frame.width <= canvas.width && frame.height <= canvas.height

/** The sizes of the frames until a place, those of an animation among them; nothing for one that is broken. */
function* frames(view: DataView, last: number): Generator<Size | undefined> {
  for (const chunk of chunks(view, first, last)) {
    // What it consists of comes after sixteen bytes about the frame.
    const parts = chunk.type === anmf ? chunks(view, chunk.start + 16, chunk.end) : [chunk]
    for (const { type, start } of parts) {
      if (type === vp8) yield lossySize(view, start)
      if (type === vp8l) yield losslessSize(view, start)
    }
  }
}

/** RFC 6386, 9.1. */
function lossySize(view: DataView, start: number): Size | undefined {
  if (view.getUint8(start + 3) !== 0x9d || view.getUint16(start + 4) !== 0x012a) return undefined
  return { width: view.getUint16(start + 6, true) & 0x3fff, height: view.getUint16(start + 8, true) & 0x3fff }
}

/** RFC 9649, 3.4. */
function losslessSize(view: DataView, start: number): Size | undefined {
  if (view.getUint8(start) !== 0x2f) return undefined
  const bits = view.getUint32(start + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function orientationOf(view: DataView): Orientation {
  for (const { type, start, end } of chunks(view, first, endOf(view))) {
    if (type === exif) return orientationIn(part(view, start, end))
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
