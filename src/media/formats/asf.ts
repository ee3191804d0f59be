import type { RandomAccessFile } from '../random-access.ts'

interface Asf {
  isVideo: boolean
  isAudio: boolean
  seconds: number | undefined
  width?: number
  height?: number
}

/** The names of objects and of streams (Advanced Systems Format, 10), of which the first half tells them apart. */
const properties = 0xa1dcab8c47a9cf11n
const stream = 0x9107dcb7b7a9cf11n
const audio = 0x409e69f84d5bcf11n
const video = 0xc0ef19bc4d5bcf11n

/** Windows Media: what its header says of all of it, and of each stream. */
export async function readAsf(file: RandomAccessFile): Promise<Asf> {
  const found: Asf = { isVideo: false, isAudio: false, seconds: undefined }
  const bytes = await file.read(0, 256 * 1024)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 30; at + 104 <= bytes.length; ) {
    const name = view.getBigUint64(at)
    if (name === properties) found.seconds = declaredSeconds(view, at)
    if (name === stream && view.getBigUint64(at + 24) === audio) found.isAudio = true
    if (name === stream && view.getBigUint64(at + 24) === video) {
      Object.assign(found, {
        isVideo: true,
        width: view.getUint32(at + 78, true),
        height: view.getUint32(at + 82, true),
      })
    }
    const size = Number(view.getBigUint64(at + 16, true))
    if (size < 24) break
    at += size
  }
  return found
}

/** In units of 100 ns; what a player waits for before it begins counts among them. */
function declaredSeconds(view: DataView, at: number): number | undefined {
  const seconds = Number(view.getBigUint64(at + 64, true)) / 1e7 - Number(view.getBigUint64(at + 80, true)) / 1e3
  return seconds > 0 ? seconds : undefined
}
