// Sums the durations of audio frames, for formats whose files have no header with the duration: MP3, ADTS and AMR.
import type { RandomAccessFile } from '../random-access.ts'

/** Content of a frame header. */
export interface Frame {
  /** Size of the frame in bytes. */
  length: number
  seconds: number
  /** A number that is equal for all frames of one stream. A different number means that the bytes only look like a frame. */
  stream: number
}

/** Parses a frame header at an offset; undefined if there is none. Reads at most 8 bytes. */
export type ReadFrame = (bytes: Uint8Array, at: number) => Frame | undefined

const readBytes = 512 * 1024

/** Maximum number of bytes in which frames are counted. The duration of a longer file is extrapolated from these. */
const maxCountedBytes = 96 * 1024 * 1024

/** Sums the durations of all frames between two offsets, in seconds. Bytes that are not a frame, such as tags, are skipped. */
export async function secondsOfFrames(
  file: RandomAccessFile,
  start: number,
  end: number,
  read: ReadFrame,
): Promise<number> {
  const until = Math.min(end, start + maxCountedBytes)
  let at = start
  let seconds = 0
  let first: Frame | undefined
  while (at < until) {
    const base = at
    const bytes = await file.read(base, Math.min(base + readBytes, end))
    const safe = base + bytes.length >= end ? bytes.length : bytes.length - 8
    if (safe <= 0) break
    while (at - base < safe) {
      const frame = read(bytes, at - base)
      const belongs = frame && frame.stream === (first?.stream ?? frame.stream)
      first ??= frame
      seconds += belongs ? frame.seconds : 0
      at += belongs ? frame.length : 1
    }
  }
  return at >= end || at === start ? seconds : (seconds * (end - start)) / (at - start)
}

/** Finds the first frame. It must be followed by other frames of its stream, so that random bytes do not match. */
export function firstFrame(bytes: Uint8Array, isEndOfFile: boolean, read: ReadFrame): number | undefined {
  for (let at = 0; at < bytes.length; at++) {
    if (isFollowed(bytes, at, isEndOfFile, read)) return at
  }
  return undefined
}

function isFollowed(bytes: Uint8Array, start: number, isEndOfFile: boolean, read: ReadFrame): boolean {
  const first = read(bytes, start)
  let at = start
  for (let found = 0; found < 4; found++) {
    // The end of the file is reached: a short file may have only a few frames, and its last frame may be cut.
    if (at >= bytes.length) return isEndOfFile && (found > 1 || at === bytes.length)
    const frame = read(bytes, at)
    if (!first || frame?.stream !== first.stream) return false
    at += frame.length
  }
  return true
}

/** Creates a parser of AMR frames, which are 20 ms each, from the frame sizes in bytes by type (RFC 4867, section 5.3). */
export const readAmr =
  (lengths: number[]): ReadFrame =>
  (bytes, at) => {
    const header = bytes[at]
    const length = header === undefined || (header & 0x83) !== 0 ? undefined : lengths[header >> 3]
    return length ? { length, seconds: 0.02, stream: 0 } : undefined
  }

const silent = [1, 1]
/** Frame sizes of AMR (3GPP TS 26.101): eight modes, comfort noise, reserved types, no data. */
export const narrowLengths = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, ...silent]
/** Frame sizes of AMR-WB (3GPP TS 26.201): nine modes, comfort noise, reserved types, lost frame, no data. */
export const wideLengths = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, ...silent]

const adtsRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]

/** Parses an ADTS frame header of AAC (ISO/IEC 13818-7, 6.2). */
export const readAdts: ReadFrame = (bytes, at) => {
  if (bytes[at] !== 0xff) return undefined
  const [, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = bytes.subarray(at, at + 7)
  const rate = adtsRates[(c >> 2) & 15]
  const length = ((d & 3) << 11) | (e << 3) | (f >> 5)
  if ((b & 0xf6) !== 0xf0 || !rate || length < 7) return undefined
  return { length, seconds: (1024 * ((g & 3) + 1)) / rate, stream: ((b & 8) << 16) | ((c & 0xfd) << 8) | (d & 0xc0) }
}
