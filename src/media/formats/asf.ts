// Reads the duration and the streams in the header of Windows Media files (ASF): WMV and WMA.
import type { RandomAccessFile } from '../random-access.ts'

interface Asf {
  isVideo: boolean
  isAudio: boolean
  seconds: number | undefined
  width?: number
  height?: number
}

/**
 * The first 8 bytes of the GUIDs of header objects and stream types, which suffice to tell them apart (Advanced Systems Format,
 * section 10).
 */
const properties = 0xa1dcab8c47a9cf11n
const stream = 0x9107dcb7b7a9cf11n
const audio = 0x409e69f84d5bcf11n
const video = 0xc0ef19bc4d5bcf11n

/** Reads the duration and the streams of an ASF file. */
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

/**
 * Returns the duration in the header in seconds. The header has it in units of 100 ns, and includes the preroll, which is
 * subtracted.
 */
function declaredSeconds(view: DataView, at: number): number | undefined {
  const seconds = Number(view.getBigUint64(at + 64, true)) / 1e7 - Number(view.getBigUint64(at + 80, true)) / 1e3
  return seconds > 0 ? seconds : undefined
}
