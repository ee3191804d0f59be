// Reads the duration of MP3 files, and of AAC in ADTS frames.
import type { RandomAccessFile } from '../random-access.ts'
import { type Frame, firstFrame, type ReadFrame, readAdts, secondsOfFrames } from './audio-frames.ts'

/** Number of bytes in which the first frame is searched for: some files have that much padding after a tag. */
const searchBytes = 64 * 1024

interface Elementary {
  kind: 'mp3' | 'aac'
  seconds: number
}

/** Reads MP3 (or MPEG audio layers 1 and 2) or ADTS frames from `start`; undefined if the file has neither. */
export async function readMpeg(file: RandomAccessFile, start: number): Promise<Elementary | undefined> {
  const end = await endOfFrames(file)
  const head = await file.read(start, Math.min(start + searchBytes, end))
  const isEndOfFile = start + head.length >= end
  const [mp3, aac] = [readMp3, readAdts].map((read) => firstFrame(head, isEndOfFile, read))
  if (mp3 === undefined && aac === undefined) return undefined
  // A file without an ID3 tag counts as audio only if the frames are near its beginning. Otherwise other files would match by
  // chance.
  if (start === 0 && Math.min(mp3 ?? searchBytes, aac ?? searchBytes) > 4096) return undefined
  if (aac !== undefined && aac < (mp3 ?? searchBytes)) {
    return { kind: 'aac', seconds: await secondsOfFrames(file, start + aac, end, readAdts) }
  }
  return { kind: 'mp3', seconds: await secondsOfMp3(file, start + mp3!, end) }
}

async function secondsOfMp3(file: RandomAccessFile, start: number, end: number): Promise<number> {
  const head = await file.read(start, start + 256)
  const first = readMp3(head, 0)!
  const frames = declaredFrames(head, end - start)
  return frames
    ? frames * first.seconds
    : secondsOfFrames(file, start + (frames === 0 ? first.length : 0), end, readMp3)
}

/**
 * Returns the number of frames that a Xing, Info or VBRI tag in the first frame declares. Returns 0 if that number is not
 * plausible, as in files that were joined or cut, and undefined if there is no tag: the first frame is then audio.
 */
function declaredFrames(head: Uint8Array, length: number): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  const isFirstVersion = (head[1]! & 8) !== 0
  const isMono = head[3]! >> 6 === 3
  const xing = 4 + (isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  if (/^(Xing|Info)$/.test(ascii(head, xing)) && head.length >= xing + 16) {
    const flags = view.getUint32(xing + 4)
    const frames = flags & 1 ? view.getUint32(xing + 8) : 0
    const bytes = flags & 2 ? view.getUint32(flags & 1 ? xing + 12 : xing + 8) : length
    return plausible(frames, bytes, length)
  }
  if (ascii(head, 36) !== 'VBRI' || head.length < 54) return undefined
  return plausible(view.getUint32(50), view.getUint32(46), length)
}

/** Returns the declared number of frames, or 0 if the file cannot have that many. The smallest frame has 24 bytes. */
const plausible = (frames: number, bytes: number, length: number) =>
  frames * 24 <= length && Math.abs(length - bytes) <= bytes / 16 ? frames : 0

const ascii = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Returns the offset of the tags at the end of the file (ID3v1, and APE before it), which are no audio. */
async function endOfFrames(file: RandomAccessFile): Promise<number> {
  const tail = await file.read(Math.max(0, file.size - 160), file.size)
  const id3 = String.fromCharCode(...tail.subarray(-128, -125)) === 'TAG' ? 128 : 0
  const footer = tail.subarray(tail.length - id3 - 32, tail.length - id3)
  const end = file.size - id3
  if (footer.length < 32 || ascii(footer, 0) + ascii(footer, 4) !== 'APETAGEX') return end
  const view = new DataView(footer.buffer, footer.byteOffset)
  const hasHeader = view.getUint32(20, true) >>> 31
  return Math.max(0, end - view.getUint32(12, true) - hasHeader * 32)
}

const kilobits = {
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  second: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
}

/** Parses an MPEG audio frame header (ISO/IEC 11172-3, 2.4.1.3), with the low sampling rates of 13818-3 and MPEG 2.5. */
const readMp3: ReadFrame = (bytes, at): Frame | undefined => {
  const a = bytes[at]
  const b = bytes[at + 1] ?? 0
  const c = bytes[at + 2] ?? 0
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return undefined
  const version = (b >> 3) & 3
  const layer = 4 - ((b >> 1) & 3)
  const speeds = kilobits[version === 3 ? 'first' : 'second'][layer - 1]
  const speed = speeds?.[(c >> 4) - 1]
  const rate = [44100, 48000, 32000][(c >> 2) & 3]
  if (version === 1 || !speed || !rate) return undefined
  const hertz = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const length = (Math.floor(((samples / 8 / slot) * speed * 1000) / hertz) + ((c >> 1) & 1)) * slot
  return { length, seconds: samples / hertz, stream: (b & 0xfe) * 4 + ((c >> 2) & 3) }
}
