// Detects whether an uploaded file may be a video, and reads the size and duration that its header has.
import { invalid } from '#core/failure'
import { readAsf } from './formats/asf.ts'
import { readAvi, readFlv } from './formats/avi-flv.ts'
import { readMatroska } from './formats/matroska.ts'
import { readMp4 } from './formats/mp4.ts'
import { readOgg } from './formats/ogg.ts'
import { headSize, isText, sniffMagicBytes } from './mime-sniffer.ts'
import { type RandomAccessFile, ReadLimitExceeded } from './random-access.ts'

/** The content of a video's header. Only common formats are read here; ffmpeg finds the missing values at the transcoding. */
export interface ProbedVideo {
  mimetype: string
  /** Duration in seconds, if the header has one. */
  duration: number | undefined
  /** Width as displayed, in pixels: after rotation, and with square pixels. */
  width: number | undefined
  height: number | undefined
  /** Whether ffmpeg can read the file front to back, without seeking. */
  is_streamable: boolean
  /** Whether the streams are H.264 and AAC. ffmpeg then copies them into the mp4 instead of encoding again. */
  may_copy: boolean
}

/** The result of a format's reader; `other` if the file is known not to be a video. */
type VideoDetails = Partial<Omit<ProbedVideo, 'mimetype'>> | 'other'

/**
 * Reads the header of a video. Returns undefined if the file is known to be of another kind. A file of an unknown format is accepted,
 * for ffmpeg to decide. Throws 400 for an empty file.
 */
export async function probeVideo(file: RandomAccessFile): Promise<ProbedVideo | undefined> {
  if (file.size === 0) throw invalid('file', 'Must not be empty')
  const head = await file.read(0, headSize)
  const { mimetype = 'application/octet-stream' } = (await sniffMagicBytes(head)) ?? {}
  if (isText(head) || isOtherKind(mimetype)) return undefined
  const found = (await readers[mimetype]?.(file).catch(emptyIfLimitExceeded)) ?? {}
  if (found === 'other') return undefined
  return {
    mimetype,
    duration: positive(found.duration),
    width: positive(found.width),
    height: positive(found.height),
    is_streamable: found.is_streamable ?? streamable.has(mimetype),
    may_copy: found.may_copy ?? false,
  }
}

/**
 * A header that is longer than the read limit counts as empty. The upload is then not rejected, since ffmpeg can still read the
 * file.
 */
function emptyIfLimitExceeded(error: unknown): VideoDetails {
  if (error instanceof ReadLimitExceeded) return {}
  throw error
}

/** Returns a number rounded to three decimals, or undefined unless it is positive and finite: headers may have any value. */
const positive = (value = 0) =>
  value > 0 && value < Number.POSITIVE_INFINITY ? Math.round(value * 1000) / 1000 || undefined : undefined

const isOtherKind = (mimetype: string) =>
  !mimetype.startsWith('video/') && !(mimetype in readers) && !possibleVideos.has(mimetype)
/**
 * Media types other than `video/…` whose files may be videos: animated GIFs, unknown files, and three formats that only ffmpeg
 * reads.
 */
const possibleVideos = new Set([
  ...['image/gif', 'application/octet-stream', 'application/mxf'],
  ...['application/vnd.rn-realmedia', 'application/x-shockwave-flash'],
])

/**
 * Formats that ffmpeg can read front to back: their index does not follow the data that it describes. Only such a source is
 * transcoded while it is sent.
 */
const streamable = new Set([
  ...['video/matroska', 'video/webm', 'video/ogg', 'application/ogg', 'video/mp2t', 'video/x-flv', 'image/gif'],
  ...['video/mpeg', 'video/mp1s', 'video/mp2p', 'video/x-ms-asf', 'application/vnd.ms-asf'],
])

const readers: Record<string, (file: RandomAccessFile) => Promise<VideoDetails>> = {
  'video/mp4': mp4Video,
  'video/x-m4v': mp4Video,
  'video/quicktime': mp4Video,
  'video/3gpp': mp4Video,
  'video/3gpp2': mp4Video,
  // MIME sniffing derives these two types from the brand of an mp4 file. The file may have a video track all the same, so the mp4
  // reader decides.
  'audio/mp4': mp4Video,
  'audio/x-m4a': mp4Video,
  'video/matroska': matroskaVideo,
  'video/webm': matroskaVideo,
  'video/ogg': oggVideo,
  'audio/ogg': oggVideo,
  'application/ogg': oggVideo,
  'video/x-ms-asf': asfVideo,
  'audio/x-ms-asf': asfVideo,
  'application/vnd.ms-asf': asfVideo,
  'video/vnd.avi': readAvi,
  'video/x-flv': readFlv,
}

async function mp4Video(file: RandomAccessFile): Promise<VideoDetails> {
  const { tracks, seconds, isIndexFirst } = await readMp4(file)
  const found = foundIn(tracks, seconds, /^avc[13]$/, /^mp4a$/)
  return found === 'other' ? found : { ...found, is_streamable: isIndexFirst }
}

async function matroskaVideo(file: RandomAccessFile): Promise<VideoDetails> {
  const { tracks, seconds } = await readMatroska(file)
  return foundIn(tracks, seconds, /^V_MPEG4\/ISO\/AVC$/, /^A_AAC/)
}

interface Track {
  type: 'video' | 'audio' | 'other'
  codec: string
  width: number
  height: number
}

/** Describes a video by its first video and its first audio track. Without any track the result is empty, and ffmpeg decides. */
function foundIn(tracks: Track[], seconds: number | undefined, h264: RegExp, aac: RegExp): VideoDetails {
  const video = tracks.find(({ type }) => type === 'video')
  const audio = tracks.find(({ type }) => type === 'audio')
  if (!video) return audio ? 'other' : {}
  const may_copy = h264.test(video.codec) && (!audio || aac.test(audio.codec))
  return { duration: seconds, width: video.width, height: video.height, may_copy }
}

async function oggVideo(file: RandomAccessFile): Promise<VideoDetails> {
  const { isVideo, seconds, width = 0, height = 0 } = await readOgg(file)
  return isVideo ? { duration: seconds ?? 0, width, height } : 'other'
}

async function asfVideo(file: RandomAccessFile): Promise<VideoDetails> {
  const { isVideo, isAudio, seconds = 0, width = 0, height = 0 } = await readAsf(file)
  return isAudio && !isVideo ? 'other' : { duration: seconds, width, height }
}
