// Reads the size of a GIF, and checks whether its file is complete.
import { brokenImage, type Header } from '../engines/engine.ts'

/**
 * Reads the size of the canvas. Rejects a GIF whose first frame is larger: decoders allocate memory for the frame, and the memory
 * estimate uses the canvas.
 */
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

/** Whether the file has a trailer, so that it is complete. Bytes after the trailer are ignored. */
export function isCompleteGif(file: DataView): boolean {
  for (const { mark } of blocks(file)) if (mark === trailer) return true
  return false
}

const trailer = 0x3b
const frame = 0x2c
const extension = 0x21

/** Returns the size of a colour table in bytes, which is encoded in the low bits of its packed field. */
const tableSize = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/**
 * Yields frames, extensions and the trailer, with the offset of their content. Stops at any other byte, which means a broken file.
 */
function* blocks(view: DataView) {
  let at = 13 + tableSize(view.getUint8(10))
  for (;;) {
    const mark = view.getUint8(at)
    const start = at + 1
    yield { mark, start }
    if (mark === frame) at = endOfSubBlocks(view, start + 9 + tableSize(view.getUint8(start + 8)))
    else if (mark === extension) at = endOfSubBlocks(view, start)
    else return
  }
}

/**
 * Returns the end of a sequence of sub-blocks, each of which begins with its length in one byte. An empty sub-block ends the
 * sequence.
 */
function endOfSubBlocks(view: DataView, start: number): number {
  let at = start + 1
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
  return at + 1
}
