// Reads the streams and the duration of Ogg files: Vorbis, Opus, Speex, FLAC and Theora.
import type { RandomAccessFile } from '../random-access.ts'
import { secondsOfStream } from './flac.ts'

interface Ogg {
  isVideo: boolean
  /** Duration of the audio in seconds; undefined if unknown. */
  seconds: number | undefined
  width?: number
  height?: number
}

interface Page {
  serial: number
  /** Granule position at the end of the page, in units of the codec; -1 if no packet ends in the page. */
  position: number
  isFirst: boolean
  content: Uint8Array
  end: number
}

/**
 * Reads the streams of an Ogg file (RFC 3533) and their duration. The first pages of all streams are at the beginning of the file.
 */
export async function readOgg(file: RandomAccessFile): Promise<Ogg> {
  const head = await file.read(0, 64 * 1024)
  const firsts: Page[] = []
  for (let page = pageAt(head, 0); page?.isFirst; page = pageAt(head, page.end)) firsts.push(page)
  const video = firsts.find(({ content }) => /^(\x80theora|BBCD|.video\0)/s.test(ascii(content, 7)))
  const audio = firsts.find(({ content }) => rateOf(content) !== undefined)
  return {
    isVideo: video !== undefined,
    seconds: audio && (await secondsOfAudio(file, audio)),
    ...(video && sizeOf(video.content)),
  }
}

const ascii = (bytes: Uint8Array, length: number) => String.fromCharCode(...bytes.subarray(0, length))

/**
 * Returns the number of samples per second in which granule positions count, and the number of samples that a player skips at the
 * beginning.
 */
function rateOf(content: Uint8Array): { rate: number; skipped: number } | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  const mark = ascii(content, 8)
  if (mark.startsWith('\x01vorbis') && content.length >= 16) return { rate: view.getUint32(12, true), skipped: 0 }
  if (mark === 'OpusHead' && content.length >= 12) return { rate: 48000, skipped: view.getUint16(10, true) }
  if (mark === 'Speex   ' && content.length >= 40) return { rate: view.getUint32(36, true), skipped: 0 }
  if (mark.startsWith('\x7fFLAC') && content.length >= 51) return { rate: view.getUint32(27) >>> 12, skipped: 0 }
  return undefined
}

async function secondsOfAudio(file: RandomAccessFile, { serial, content }: Page): Promise<number | undefined> {
  const { rate, skipped } = rateOf(content)!
  const last = (await lastPosition(file, serial)) ?? 0
  if (last > skipped && rate > 0) return (last - skipped) / rate
  return content[0] === 0x7f ? secondsOfStream(file, content.subarray(17), file.size) : undefined
}

/** Returns the granule position of the last page in which a packet of the stream ends, which is the end of the stream. */
async function lastPosition(file: RandomAccessFile, serial: number): Promise<number | undefined> {
  for (let back = 128 * 1024; back <= 8 * 1024 * 1024; back *= 8) {
    const from = Math.max(0, file.size - back)
    const tail = await file.read(from, file.size)
    const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
    for (let at = tail.length - 27; at >= 0; at--) {
      // Compares cheap fields before the page is parsed and its checksum computed: in a crafted file every byte may look like the
      // start of a page.
      const page = tail[at] === 0x4f && view.getUint32(at + 14, true) === serial ? pageAt(tail, at) : undefined
      if (page && page.position >= 0) return page.position
    }
    if (from === 0) return undefined
  }
  return undefined
}

function pageAt(bytes: Uint8Array, at: number): Page | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (at + 27 > bytes.length || view.getUint32(at) !== 0x4f676753 || bytes[at + 4] !== 0) return undefined
  const start = at + 27 + bytes[at + 26]!
  const length = bytes.subarray(at + 27, start).reduce((sum, lace) => sum + lace, 0)
  return {
    serial: view.getUint32(at + 14, true),
    position: Number(view.getBigInt64(at + 6, true)),
    isFirst: (bytes[at + 5]! & 2) !== 0,
    content: bytes.subarray(start, start + length),
    end: start + length,
  }
}

/** Returns the picture size of a Theora stream, without the padding to whole blocks. */
function sizeOf(content: Uint8Array): { width: number; height: number } | undefined {
  if (!ascii(content, 7).endsWith('theora') || content.length < 20) return undefined
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  return { width: view.getUint32(13) & 0xffffff, height: view.getUint32(16) & 0xffffff }
}
