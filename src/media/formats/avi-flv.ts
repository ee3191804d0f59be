// Reads the duration and the size of AVI and Flash (FLV) videos.
import type { RandomAccessFile } from '../random-access.ts'
import { chunksOf } from './iff-chunks.ts'

interface VideoHeader {
  duration?: number
  width?: number
  height?: number
}

/** Reads the size and duration from the main header of an AVI file, which is the first chunk of the first list. */
export async function readAvi(file: RandomAccessFile): Promise<VideoHeader> {
  for await (const { id, view } of chunksOf(file, 24, 'little')) {
    if (id !== 'avih' || view.byteLength < 40) break
    const duration = (view.getUint32(0, true) * view.getUint32(16, true)) / 1e6
    return { duration, width: view.getUint32(32, true), height: view.getUint32(36, true) }
  }
  return {}
}

/**
 * Reads the metadata at the beginning of an FLV file. Searches for the names of the values, which is simpler than parsing the
 * script data.
 */
export async function readFlv(file: RandomAccessFile): Promise<VideoHeader> {
  const bytes = await file.read(0, 4096)
  const text = String.fromCharCode(...bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const number = (name: string) => {
    // A value is stored as the length of its name, the name, a byte that means a number, and the number.
    const at = text.indexOf(`\0${String.fromCharCode(name.length)}${name}\0`) + name.length + 3
    return at > name.length + 2 && at + 8 <= bytes.length ? view.getFloat64(at) : 0
  }
  return { duration: number('duration'), width: number('width'), height: number('height') }
}
