// Reads the boxes that an MP4 or QuickTime file consists of. mp4.ts interprets their content.
import type { RandomAccessFile } from '../random-access.ts'

/** A box of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2): its name, and the start and end of its content. */
export interface Mp4Box {
  name: string
  start: number
  end: number
}

/**
 * Reads the boxes of one file. The number of boxes in all calls together is limited, so that a crafted file cannot keep the reader
 * busy.
 */
export interface Boxes {
  /** Yields the boxes between two offsets. */
  within(start: number, end: number): AsyncGenerator<Mp4Box>
  /** Returns the first box at a path of names inside a box; undefined if there is none. */
  find(box: Mp4Box, ...path: string[]): Promise<Mp4Box | undefined>
  /** Returns the first `length` bytes of a box, padded with zeros if the box is shorter. */
  view(box: Mp4Box, length: number): Promise<DataView>
}

export function boxesOf(file: RandomAccessFile, maxBoxes = 20_000): Boxes {
  let left = maxBoxes

  async function* within(start: number, end: number): AsyncGenerator<Mp4Box> {
    for (let at = start; at + 8 <= end && left > 0; left--) {
      const bytes = await file.read(at, at + 16)
      if (bytes.length < 8) return
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      const isLong = view.getUint32(0) === 1
      if (isLong && bytes.length < 16) return
      const size = isLong ? Number(view.getBigUint64(8)) : view.getUint32(0) || end - at
      const content = at + (isLong ? 16 : 8)
      if (at + size < content) return
      yield { name: String.fromCharCode(...bytes.subarray(4, 8)), start: content, end: Math.min(at + size, end) }
      at += size
    }
  }

  async function find(box: Mp4Box, ...[name, ...path]: string[]): Promise<Mp4Box | undefined> {
    if (name === undefined) return box
    for await (const inner of within(box.start, box.end)) if (inner.name === name) return find(inner, ...path)
    return undefined
  }

  async function view({ start, end }: Mp4Box, length: number): Promise<DataView> {
    const bytes = new Uint8Array(length)
    bytes.set(await file.read(start, Math.min(start + length, end)))
    return new DataView(bytes.buffer)
  }

  return { within, find, view }
}
