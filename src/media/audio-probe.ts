// Detects the format and the duration of an uploaded audio file, so that the upload is rejected if it is not audio.
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

interface ProbedAudio {
  mimetype: string
  extension: string
  /** Duration in seconds, rounded to three decimals. */
  duration: number
}

/** The result of a format's reader. A missing duration, or one of 0, means that the file is broken, and the upload is rejected. */
interface DetectedAudio {
  mimetype: string
  extension: string
  duration: number | undefined
}

/**
 * Reads the format and the duration of an audio file from its headers. Returns undefined for another kind of file, such as a video.
 * Throws 400 if the file is empty or broken.
 */
export async function probeAudio(file: RandomAccessFile): Promise<ProbedAudio | undefined> {
  if (file.size === 0) throw invalid('file', 'Must not be empty')
  const start = await skipId3Tags(file)
  const magic = String.fromCharCode(...(await file.read(start, start + 16)))
  const read = readers.find(([pattern]) => pattern.test(magic))?.[1] ?? readRawFrames
  const found = await read(file, start).catch(brokenIfLimitExceeded)
  if (!found) return undefined
  const duration = Math.round((found.duration ?? 0) * 1000) / 1000
  if (!(duration > 0 && duration < Number.POSITIVE_INFINITY)) throw broken()
  return { ...found, duration }
}

/** Reads past the read limit of the file mean that it is crafted or broken, so the upload is rejected with 400 instead of 500. */
function brokenIfLimitExceeded(error: unknown): never {
  throw error instanceof ReadLimitExceeded ? broken() : error
}

const broken = () => invalid('file', 'Must be audio that can be decoded')

const readers: [RegExp, (file: RandomAccessFile, start: number) => Promise<DetectedAudio | undefined>][] = [
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

const kind = (mimetype: string, extension: string, duration?: number): DetectedAudio => ({
  mimetype,
  extension,
  duration,
})

const amr = (file: RandomAccessFile, start: number, lengths: number[]) =>
  secondsOfFrames(file, start, file.size, readAmr(lengths))

async function oggAudio(file: RandomAccessFile): Promise<DetectedAudio | undefined> {
  const { isVideo, seconds } = await readOgg(file)
  return isVideo ? undefined : kind('audio/ogg', 'ogg', seconds)
}

async function asfAudio(file: RandomAccessFile): Promise<DetectedAudio | undefined> {
  const { isVideo, isAudio, seconds } = await readAsf(file)
  return isVideo ? undefined : kind('audio/x-ms-wma', 'wma', isAudio ? seconds : undefined)
}

async function matroskaAudio(file: RandomAccessFile): Promise<DetectedAudio | undefined> {
  const found = await readMatroska(file)
  if (found.tracks.some(({ type }) => type === 'video')) return undefined
  const hasAudio = found.tracks.some(({ type }) => type === 'audio')
  const seconds = hasAudio ? (found.seconds ?? (await secondsOfBlocks(file, found))) : undefined
  return found.isWeb ? kind('audio/webm', 'webm', seconds) : kind('audio/x-matroska', 'mka', seconds)
}

async function mp4Audio(file: RandomAccessFile): Promise<DetectedAudio | undefined> {
  if ((await sniffMagicBytes(await file.read(0, 4096)))?.mimetype.startsWith('image/')) return undefined
  const found = await readMp4(file)
  if (!found.brand && found.tracks.length === 0) return undefined
  // An audiobook (M4A, M4B, M4P) stores its chapter images in a video track. Without this exception it would be rejected as a
  // video.
  const covers = /^M4[ABP] /.test(found.brand) ? ['jpeg', 'png ', 'mp4v'] : []
  if (found.tracks.some(({ type, codec }) => type === 'video' && !covers.includes(codec))) return undefined
  const track = found.tracks.find(({ type }) => type === 'audio')
  const seconds = track && (found.seconds ?? (await secondsOfFragments(file, found, track)))
  return found.brand.startsWith('3g') ? kind('audio/3gpp', '3gp', seconds) : kind('audio/mp4', 'm4a', seconds)
}

/**
 * Reads MP3 or AAC frames without a container format. A file with an ID3 tag but no frames counts as broken audio: its type is
 * known.
 */
async function readRawFrames(file: RandomAccessFile, start: number): Promise<DetectedAudio | undefined> {
  const found = await readMpeg(file, start)
  if (found?.kind === 'mp3') return kind('audio/mpeg', 'mp3', found.seconds)
  if (found) return kind('audio/aac', 'aac', found.seconds)
  return start > 0 ? kind('audio/mpeg', 'mp3', undefined) : undefined
}

/** Returns the offset after the ID3v2 tags at the beginning of a file, where the audio begins. A file may have several tags. */
async function skipId3Tags(file: RandomAccessFile): Promise<number> {
  let start = 0
  for (let tags = 0; tags < 16; tags++) {
    const [i, d, three, major = 255, , flags = 0, ...size] = await file.read(start, start + 10)
    const isTag = i === 0x49 && d === 0x44 && three === 0x33 && major < 255 && size.every((byte) => byte < 128)
    if (!isTag || size.length < 4) break
    // A tag with a footer (flag 16) is 10 bytes longer: the footer repeats the 10 bytes of the tag's header.
    start += 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + (flags & 16 ? 10 : 0)
  }
  return start
}
