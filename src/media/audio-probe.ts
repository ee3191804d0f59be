import { invalid } from '#core/failure'
import { readAsf } from './formats/asf.ts'
import { narrowLengths, readAmr, secondsOfFrames, wideLengths } from './formats/audio-frames.ts'
import { readFlac } from './formats/flac.ts'
import { readAiff, readCaf, readWave } from './formats/iff-chunks.ts'
import { readMatroska, secondsOfBlocks } from './formats/matroska.ts'
import { readMp4, secondsOfFragments } from './formats/mp4.ts'
import { readMpeg } from './formats/mpeg.ts'
import { readOgg } from './formats/ogg.ts'
import { sniffMagicBytes } from './mime-sniffer.ts'
import { type RandomAccessFile, ReadLimitExceeded } from './random-access.ts'

interface Audio {
  mimetype: string
  extension: string
  /** Seconds, to the thousandth. */
  duration: number
}

/** What a reader found: without a duration, or with one of zero, the file is broken. */
interface Found {
  mimetype: string
  extension: string
  duration: number | undefined
}

/**
 * What an audio file is and how long, by its headers; `undefined` where it is another kind of file, such as a video. One
 * that is empty or broken is refused.
 */
export async function probeAudio(file: RandomAccessFile): Promise<Audio | undefined> {
  if (file.size === 0) throw invalid('file', 'Must not be empty')
  const start = await afterTags(file)
  const mark = String.fromCharCode(...(await file.read(start, start + 16)))
  const read = readers.find(([pattern]) => pattern.test(mark))?.[1] ?? readUnmarked
  const found = await read(file, start).catch(unlessTooMuch)
  if (!found) return undefined
  const duration = Math.round((found.duration ?? 0) * 1000) / 1000
  if (!(duration > 0 && duration < Number.POSITIVE_INFINITY)) throw broken()
  return { ...found, duration }
}

/** A file of which all that may be read does not tell how long it is. */
function unlessTooMuch(error: unknown): never {
  throw error instanceof ReadLimitExceeded ? broken() : error
}

const broken = () => invalid('file', 'Must be audio that can be decoded')

const readers: [RegExp, (file: RandomAccessFile, start: number) => Promise<Found | undefined>][] = [
  [/^(RIFF|RF64|BW64)....WAVE/s, async (file) => kind('audio/wav', 'wav', await readWave(file))],
  [/^RIFX....WAVE/s, async (file) => kind('audio/wav', 'wav', await readWave(file, false))],
  [/^FORM....AIF[FC]/s, async (file) => kind('audio/aiff', 'aiff', await readAiff(file))],
  [/^caff/, async (file) => kind('audio/x-caf', 'caf', await readCaf(file))],
  [/^fLaC/, async (file, start) => kind('audio/flac', 'flac', await readFlac(file, start))],
  [/^#!AMR\n/, async (file) => kind('audio/amr', 'amr', await amr(file, 6, narrowLengths))],
  [/^#!AMR-WB\n/, async (file) => kind('audio/amr-wb', 'awb', await amr(file, 9, wideLengths))],
  [/^OggS/, oggAudio],
  [/^0&\xb2u\x8ef\xcf/, asfAudio],
  [/^.E\xdf\xa3/s, matroskaAudio],
  [/^....(ftyp|moov|wide|mdat|free|skip)/s, mp4Audio],
]

const kind = (mimetype: string, extension: string, duration?: number): Found => ({ mimetype, extension, duration })

const amr = (file: RandomAccessFile, start: number, lengths: number[]) =>
  secondsOfFrames(file, start, file.size, readAmr(lengths))

async function oggAudio(file: RandomAccessFile): Promise<Found | undefined> {
  const { isVideo, seconds } = await readOgg(file)
  return isVideo ? undefined : kind('audio/ogg', 'ogg', seconds)
}

async function asfAudio(file: RandomAccessFile): Promise<Found | undefined> {
  const { isVideo, isAudio, seconds } = await readAsf(file)
  return isVideo ? undefined : kind('audio/x-ms-wma', 'wma', isAudio ? seconds : undefined)
}

async function matroskaAudio(file: RandomAccessFile): Promise<Found | undefined> {
  const found = await readMatroska(file)
  if (found.tracks.some(({ type }) => type === 'video')) return undefined
  const hasAudio = found.tracks.some(({ type }) => type === 'audio')
  const seconds = hasAudio ? (found.seconds ?? (await secondsOfBlocks(file, found))) : undefined
  return found.isWeb ? kind('audio/webm', 'webm', seconds) : kind('audio/x-matroska', 'mka', seconds)
}

async function mp4Audio(file: RandomAccessFile): Promise<Found | undefined> {
  if ((await sniffMagicBytes(await file.read(0, 4096)))?.mimetype.startsWith('image/')) return undefined
  const found = await readMp4(file)
  if (!found.brand && found.tracks.length === 0) return undefined
  // The pictures of an audiobook's chapters are a track; in a file that says to be audio they are no video.
  const covers = /^M4[ABP] /.test(found.brand) ? ['jpeg', 'png ', 'mp4v'] : []
  if (found.tracks.some(({ type, codec }) => type === 'video' && !covers.includes(codec))) return undefined
  const track = found.tracks.find(({ type }) => type === 'audio')
  const seconds = track && (found.seconds ?? (await secondsOfFragments(file, found, track)))
  return found.brand.startsWith('3g') ? kind('audio/3gpp', '3gp', seconds) : kind('audio/mp4', 'm4a', seconds)
}

/** What has no mark but those of its frames, or is no audio. A tag promises some. */
async function readUnmarked(file: RandomAccessFile, start: number): Promise<Found | undefined> {
  const found = await readMpeg(file, start)
  if (found?.kind === 'mp3') return kind('audio/mpeg', 'mp3', found.seconds)
  if (found) return kind('audio/aac', 'aac', found.seconds)
  return start > 0 ? kind('audio/mpeg', 'mp3', undefined) : undefined
}

/** Where what follows ID3v2 tags begins; some files have several. */
async function afterTags(file: RandomAccessFile): Promise<number> {
  let start = 0
  for (let tags = 0; tags < 16; tags++) {
    const [i, d, three, major = 255, , flags = 0, ...size] = await file.read(start, start + 10)
    const isTag = i === 0x49 && d === 0x44 && three === 0x33 && major < 255 && size.every((byte) => byte < 128)
    if (!isTag || size.length < 4) break
    // A footer repeats the header.
    start += 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + (flags & 16 ? 10 : 0)
  }
  return start
}
