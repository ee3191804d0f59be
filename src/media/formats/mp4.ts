// Reads the tracks and the duration of MP4 and QuickTime files, fragmented ones included.
import type { RandomAccessFile } from '../random-access.ts'
import { type Boxes, boxesOf, type Mp4Box } from './mp4-boxes.ts'

/** Content of the header of an MP4 or QuickTime file, as far as the probes of audio and video need it. */
interface Mp4 {
  brand: string
  /** Whether the index (the box moov) precedes the data, so that ffmpeg can transcode the file while it arrives. */
  isIndexFirst: boolean
  tracks: Mp4Track[]
  /** Duration of the file; undefined for a fragmented file without a duration in its header. */
  seconds: number | undefined
  /** Offset where the fragments begin. Recordings of browsers store their frames in fragments. */
  fragments: number
}

interface Mp4Track {
  type: 'video' | 'audio' | 'other'
  id: number
  codec: string
  /** Number of time units per second. */
  scale: number
  /** Duration of a sample in time units, for fragments that do not state one. */
  sampleDuration: number
  /** Display size in square pixels, after rotation; 0 unless the track is a video. */
  width: number
  height: number
}

export async function readMp4(file: RandomAccessFile): Promise<Mp4> {
  const boxes = boxesOf(file)
  const found: Mp4 = { brand: '', isIndexFirst: false, tracks: [], seconds: undefined, fragments: file.size }
  let hasData = false
  for await (const box of boxes.within(0, file.size)) {
    if (box.name === 'ftyp') found.brand = fourLetters(await boxes.view(box, 4), 0)
    if (box.name === 'mdat' || box.name === 'moof') hasData = true
    if (box.name !== 'moov') continue
    const movie = await movieOf(boxes, box)
    return { ...found, ...movie, isIndexFirst: !hasData, fragments: box.end }
  }
  return found
}

async function movieOf(boxes: Boxes, moov: Mp4Box): Promise<Pick<Mp4, 'tracks' | 'seconds'>> {
  const tracks: Mp4Track[] = []
  let seconds: number | undefined
  const defaults = new Map<number, number>()
  for await (const box of boxes.within(moov.start, moov.end)) {
    if (box.name === 'mvhd') seconds = timesOf(await boxes.view(box, 32)).seconds
    if (box.name === 'trak') tracks.push(await trackOf(boxes, box))
    if (box.name !== 'mvex') continue
    for await (const inner of boxes.within(box.start, box.end)) {
      const view = await boxes.view(inner, 16)
      if (inner.name === 'trex') defaults.set(view.getUint32(4), view.getUint32(12))
    }
  }
  return { seconds, tracks: tracks.map((track) => ({ ...track, sampleDuration: defaults.get(track.id) ?? 0 })) }
}

const fourLetters = (view: DataView, at: number) =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4))

/** Reads the time scale and the duration of an mvhd or mdhd box. If all bits of the duration are set, the duration is unknown. */
function timesOf(view: DataView): { scale: number; seconds: number | undefined } {
  const isLong = view.getUint8(0) === 1
  const scale = view.getUint32(isLong ? 20 : 12)
  const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16)
  const isKnown = duration > 0 && duration < (isLong ? 2 ** 63 : 2 ** 32 - 1) && scale > 0
  return { scale, seconds: isKnown ? duration / scale : undefined }
}

const kinds: Record<string, Mp4Track['type']> = { vide: 'video', soun: 'audio' }

async function trackOf(boxes: Boxes, trak: Mp4Box): Promise<Mp4Track> {
  const header = await boxes.find(trak, 'tkhd')
  const media = await boxes.find(trak, 'mdia')
  const handler = media && (await boxes.find(media, 'hdlr'))
  const times = media && (await boxes.find(media, 'mdhd'))
  const entries = media && (await boxes.find(media, 'minf', 'stbl', 'stsd'))
  const view = header && (await boxes.view(header, 96))
  const type = (handler && kinds[fourLetters(await boxes.view(handler, 12), 8)]) ?? 'other'
  const entry = entries && (await firstOf(boxes.within(entries.start + 8, entries.end)))
  return {
    ...{ type, sampleDuration: 0, width: 0, height: 0 },
    id: view ? view.getUint32(view.getUint8(0) === 1 ? 20 : 12) : 0,
    scale: times ? timesOf(await boxes.view(times, 32)).scale : 0,
    codec: entry?.name ?? '',
    ...(type === 'video' && entry && view && (await sizeOf(boxes, entry, view))),
  }
}

async function firstOf<T>(items: AsyncGenerator<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

/** Returns the display size of a video track, computed from the stored size, the pixel aspect ratio and the rotation. */
async function sizeOf(boxes: Boxes, entry: Mp4Box, track: DataView): Promise<{ width: number; height: number }> {
  const sample = await boxes.view(entry, 28)
  const pixel = await boxes.find({ ...entry, start: entry.start + 78 }, 'pasp')
  const shape = pixel && (await boxes.view(pixel, 8))
  const aspect = (shape && shape.getUint32(0) / shape.getUint32(4)) || 1
  const width = Math.round(sample.getUint16(24) * Math.max(1, aspect))
  const height = Math.round(sample.getUint16(26) / Math.min(1, aspect))
  const matrix = track.getUint8(0) === 1 ? 52 : 40
  const isOnItsSide =
    track.getInt32(matrix) === 0 && track.getInt32(matrix + 16) === 0 && track.getInt32(matrix + 4) !== 0
  return isOnItsSide ? { width: height, height: width } : { width, height }
}

/** Returns the duration of a track in seconds, computed from its fragments. Browsers record without a duration in the header. */
export async function secondsOfFragments(file: RandomAccessFile, { fragments }: Mp4, track: Mp4Track): Promise<number> {
  const boxes = boxesOf(file, 1_000_000)
  let first: number | undefined
  let last = 0
  for await (const moof of boxes.within(fragments, file.size)) {
    if (moof.name !== 'moof') continue
    for await (const traf of boxes.within(moof.start, moof.end)) {
      const part = traf.name === 'traf' ? await fragmentOf(boxes, traf, track, last) : undefined
      first ??= part?.start
      last = part?.end ?? last
    }
  }
  return (last - (first ?? 0)) / track.scale
}

async function fragmentOf(boxes: Boxes, traf: Mp4Box, track: Mp4Track, after: number) {
  let [start, defaultDuration, length] = [after, track.sampleDuration, 0]
  for await (const box of boxes.within(traf.start, traf.end)) {
    const view = await boxes.view(box, 28)
    const flags = view.getUint32(0) & 0xffffff
    if (box.name === 'tfhd') {
      if (view.getUint32(4) !== track.id) return undefined
      // The flags say which fields precede the default duration: eight bytes (the data offset) and four bytes (the sample
      // description).
      if (flags & 8) defaultDuration = view.getUint32(8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0))
    }
    if (box.name === 'tfdt') start = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)
    if (box.name === 'trun')
      length += flags & 0x100 ? await sumDurations(boxes, box, flags) : view.getUint32(4) * defaultDuration
  }
  return { start, end: start + length }
}

/** Sums the durations of the samples in a trun box, where the duration is the first field of each sample. */
async function sumDurations(boxes: Boxes, trun: Mp4Box, flags: number): Promise<number> {
  const stride = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const view = await boxes.view(trun, Math.min(trun.end - trun.start, 1024 * 1024))
  if (view.byteLength < 8) return 0
  const count = Math.min(view.getUint32(4), Math.floor((view.byteLength - start) / stride))
  let sum = 0
  for (let i = 0; i < count; i++) sum += view.getUint32(start + i * stride)
  return sum
}
