// Reads the duration of FLAC audio: from the header, or if the header does not state it, from the number of the last frame.
import type { RandomAccessFile } from '../random-access.ts'

/** Returns the duration in seconds of a FLAC stream that begins at `start` (RFC 9639); undefined without a STREAMINFO block. */
export async function readFlac(file: RandomAccessFile, start: number): Promise<number | undefined> {
  const head = await file.read(start, start + 42)
  if (head.length < 42 || (head[4]! & 0x7f) !== 0) return undefined
  return secondsOfStream(file, head.subarray(8), start + 42)
}

/**
 * Returns the duration in seconds that a STREAMINFO block declares, or that of the last frame. `start` is an offset before the
 * first frame.
 */
export async function secondsOfStream(
  file: RandomAccessFile,
  info: Uint8Array,
  start: number,
): Promise<number | undefined> {
  const view = new DataView(info.buffer, info.byteOffset, info.length)
  const rate = view.getUint32(10) >>> 12
  if (rate === 0) return undefined
  const samples = (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14)
  return (samples || (await lastSample(file, start, view.getUint16(0)))) / rate
}

/** Returns the number of samples up to the end of the last frame, which is found by searching the file backwards. */
async function lastSample(file: RandomAccessFile, start: number, blockSize: number): Promise<number> {
  for (let back = 64 * 1024; ; back *= 4) {
    const from = Math.max(start, file.size - back)
    const tail = await file.read(from, file.size)
    for (let at = tail.length - 6; at >= 0; at--) {
      const end = tail[at] === 0xff ? endOfFrame(tail, at, blockSize) : undefined
      if (end !== undefined) return end
    }
    // The search ends here: no frame is larger, since it has at most 65535 samples of 32 bits in 8 channels.
    if (from === start || back >= 2 ** 22) return 0
  }
}

/**
 * Returns the number of samples up to the end of the frame at `at`; undefined if no valid frame header is there (RFC 9639, section
 * 9.1).
 */
function endOfFrame(bytes: Uint8Array, at: number, blockSize: number): number | undefined {
  const [sync, sizes, channels] = [bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
  if ((sync & 0xfe) !== 0xf8 || (channels & 1) !== 0) return undefined
  const number = codedNumber(bytes, at + 4)
  if (!number) return undefined
  const [size, afterSize] = sizeOfBlock(bytes, sizes >> 4, number.end)
  const end = afterSize + ([0, 1, 2, 2][Math.max(0, (sizes & 15) - 11)] ?? 0)
  if (size === 0 || crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined
  return (sync & 1 ? number.value : number.value * blockSize) + size
}

/** Decodes the block size of a frame. Returns the number of samples and the offset of the next field. */
function sizeOfBlock(bytes: Uint8Array, code: number, at: number): [number, number] {
  if (code === 6) return [(bytes[at] ?? 0) + 1, at + 1]
  if (code === 7) return [(bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0) + 1, at + 2]
  if (code >= 8) return [256 << (code - 8), at]
  return [code === 1 ? 192 : code === 0 ? 0 : 576 << (code - 2), at]
}

/** Decodes a number of up to 36 bits in the extended UTF-8 coding of FLAC. */
function codedNumber(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  const first = bytes[at] ?? 0xff
  const more = Math.clz32(~first & 0xff) - 24
  if (first < 0x80) return { value: first, end: at + 1 }
  if (more < 2 || more > 7) return undefined
  const rest = bytes.subarray(at + 1, at + more)
  if (rest.some((byte) => byte >> 6 !== 2)) return undefined
  return { value: rest.reduce((value, byte) => value * 64 + (byte & 63), first & (0x7f >> more)), end: at + more }
}

function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 7) & 0xff : crc << 1
  }
  return crc
}
