import { brokenImage, type Header } from '../engines/engine.ts'

/** The canvas. A first frame that is larger is refused: decoders take memory for that one. */
export function gifHeader(head: DataView): Omit<Header, 'format'> {
  const size = { width: head.getUint16(6, true), height: head.getUint16(8, true) }
  for (const { mark, start } of blocks(head)) {
    if (mark === trailer) throw brokenImage()
    if (mark !== frame) continue
    const [width, height] = [head.getUint16(start + 4, true), head.getUint16(start + 6, true)]
    if (width > size.width || height > size.height) throw brokenImage()
    return { ...size, orientation: 1 }
  }
  throw brokenImage()
}

/** Whether there is a trailer; what may follow it is not looked at. */
export function isCompleteGif(file: DataView): boolean {
  for (const { mark } of blocks(file)) if (mark === trailer) return true
  return false
}

const trailer = 0x3b
const frame = 0x2c
const extension = 0x21

/** Bytes of a colour table, by the byte that describes it. */
const tableSize = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** Frames, extensions and the trailer, with where their content starts; ends at anything else. */
function* blocks(view: DataView) {
  let at = 13 + tableSize(view.getUint8(10))
  for (;;) {
    const mark = view.getUint8(at)
    const start = at + 1
    yield { mark, start }
    if (mark === frame) at = endOfParts(view, start + 9 + tableSize(view.getUint8(start + 8)))
    else if (mark === extension) at = endOfParts(view, start)
    else return
  }
}

/** After one byte, the parts' kind or code size, each part has its length before it; an empty one is the last. */
function endOfParts(view: DataView, start: number): number {
  let at = start + 1
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
  return at + 1
}
