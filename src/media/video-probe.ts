import { invalid } from '#core/failure'
import { readAsf } from './formats/asf.ts'
import { readAvi, readFlv } from './formats/avi-flv.ts'
import { readMatroska } from './formats/matroska.ts'
import { readMp4 } from './formats/mp4.ts'
import { readOgg } from './formats/ogg.ts'
import { headSize, isText, sniffMagicBytes } from './mime-sniffer.ts'
import { type RandomAccessFile, ReadLimitExceeded } from './random-access.ts'

/** What the header of a video says, as far as it is a kind whose header is read; the rest is left to ffmpeg. */
export interface ProbedVideo {
  mimetype: string
  /** Seconds. */
  duration: number | undefined
  /** In pixels as displayed: turned, and with square pixels. */
  width: number | undefined
  height: number | undefined
  /** Whether ffmpeg can read it from its beginning to its end, without turning back. */
  is_streamable: boolean
  /** Whether its streams are H.264 and AAC. */
  may_copy: boolean
}

/** What was found, or that it is no video after all. */
type Found = Partial<Omit<ProbedVideo, 'mimetype'>> | 'other'

/**
 * What a video says of itself; `undefined` where it is known to be another kind of file. One of a kind that nobody knows
 * is taken, for ffmpeg to decide. An empty one is refused.
 */
export async function probeVideo(file: RandomAccessFile): Promise<ProbedVideo | undefined> {
  if (file.size === 0) throw invalid('file', 'Must not be empty')
  const head = await file.read(0, headSize)
  const { mimetype = 'application/octet-stream' } = (await sniffMagicBytes(head)) ?? {}
  if (isText(head) || isOther(mimetype)) return undefined
  const found = (await readers[mimetype]?.(file).catch(unlessTooMuch)) ?? {}
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

/** What costs too much to read is left to ffmpeg. */
function unlessTooMuch(error: unknown): Found {
  if (error instanceof ReadLimitExceeded) return {}
  throw error
}

/** To the thousandth; a header may also say nothing with a number that is none. */
const positive = (value = 0) =>
  value > 0 && value < Number.POSITIVE_INFINITY ? Math.round(value * 1000) / 1000 || undefined : undefined

/** Kinds besides `video/…` that may hold one: GIF moves, and the last three are read by ffmpeg alone. */
const isOther = (mimetype: string) => !mimetype.startsWith('video/') && !(mimetype in readers) && !moving.has(mimetype)
const moving = new Set([
  ...['image/gif', 'application/octet-stream', 'application/mxf'],
  ...['application/vnd.rn-realmedia', 'application/x-shockwave-flash'],
])

/** What has all that is needed to go on before it is needed. */
const streamable = new Set([
  ...['video/matroska', 'video/webm', 'video/ogg', 'application/ogg', 'video/mp2t', 'video/x-flv', 'image/gif'],
  ...['video/mpeg', 'video/mp1s', 'video/mp2p', 'video/x-ms-asf', 'application/vnd.ms-asf'],
])

const readers: Record<string, (file: RandomAccessFile) => Promise<Found>> = {
  'video/mp4': mp4Video,
  'video/x-m4v': mp4Video,
  'video/quicktime': mp4Video,
  'video/3gpp': mp4Video,
  'video/3gpp2': mp4Video,
  // Named after the first stream, or the brand.
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

async function mp4Video(file: RandomAccessFile): Promise<Found> {
  const { tracks, seconds, isIndexFirst } = await readMp4(file)
  const said = ofTracks(tracks, seconds, /^avc[13]$/, /^mp4a$/)
  return said === 'other' ? said : { ...said, is_streamable: isIndexFirst }
}

async function matroskaVideo(file: RandomAccessFile): Promise<Found> {
  const { tracks, seconds } = await readMatroska(file)
  return ofTracks(tracks, seconds, /^V_MPEG4\/ISO\/AVC$/, /^A_AAC/)
}

interface Track {
  type: 'video' | 'audio' | 'other'
  codec: string
  width: number
  height: number
}

/** Of the first of each kind; where there is none, it is for ffmpeg to find. */
function ofTracks(tracks: Track[], seconds: number | undefined, h264: RegExp, aac: RegExp): Found {
  const video = tracks.find(({ type }) => type === 'video')
  const audio = tracks.find(({ type }) => type === 'audio')
  if (!video) return audio ? 'other' : {}
  const may_copy = h264.test(video.codec) && (!audio || aac.test(audio.codec))
  return { duration: seconds, width: video.width, height: video.height, may_copy }
}

async function oggVideo(file: RandomAccessFile): Promise<Found> {
  const { isVideo, seconds, width = 0, height = 0 } = await readOgg(file)
  return isVideo ? { duration: seconds ?? 0, width, height } : 'other'
}

async function asfVideo(file: RandomAccessFile): Promise<Found> {
  const { isVideo, isAudio, seconds = 0, width = 0, height = 0 } = await readAsf(file)
  return isAudio && !isVideo ? 'other' : { duration: seconds, width, height }
}
