import type { RandomAccessFile } from '../random-access.ts'
import { chunksOf } from './iff-chunks.ts'

interface Film {
  duration?: number
  width?: number
  height?: number
}

/** AVI: the main header, which is the first chunk of the first list. */
export async function readAvi(file: RandomAccessFile): Promise<Film> {
  for await (const { id, view } of chunksOf(file, 24, 'little')) {
    if (id !== 'avih' || view.byteLength < 40) break
    const duration = (view.getUint32(0, true) * view.getUint32(16, true)) / 1e6
    return { duration, width: view.getUint32(32, true), height: view.getUint32(36, true) }
  }
  return {}
}

/** Flash video: what the script at its beginning calls its metadata, without reading the script as such. */
export async function readFlv(file: RandomAccessFile): Promise<Film> {
  const bytes = await file.read(0, 4096)
  const text = String.fromCharCode(...bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const number = (name: string) => {
    // A name's length, the name, the mark of a number, the number.
    const at = text.indexOf(`\0${String.fromCharCode(name.length)}${name}\0`) + name.length + 3
    return at > name.length + 2 && at + 8 <= bytes.length ? view.getFloat64(at) : 0
  }
  return { duration: number('duration'), width: number('width'), height: number('height') }
}
