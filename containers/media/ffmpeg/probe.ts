// What a source has in it, as ffprobe sees it.
import type { MediaSettings } from '../settings.ts'
import { type ProcessExit, startChild, type ToolProcess } from './child-process.ts'
import { type Input, inputOf } from './input.ts'
import type { Tools } from './tools.ts'

export interface MediaProbe {
  /** ffmpeg's name of the demuxer. */
  format: string
  /** Seconds, where the container says. */
  duration: number | undefined
  video: VideoStream | undefined
  audio: AudioStream | undefined
}

export interface VideoStream {
  codec: string
  profile: string
  pixels: string
  /** As stored: before rotation, with pixels that may not be square. */
  width: number
  height: number
  /** A pixel's width by its height. */
  aspect: number
  /** Degrees; undefined unless the container turns or mirrors it. */
  rotation: number | undefined
  isInterlaced: boolean
  transfer: string
  /** Frames a second: in the mean, and the least that has all frames at their time. 0 when unknown. */
  meanRate: number
  baseRate: number
}

export interface AudioStream {
  codec: string
  profile: string
  rate: number
}

const entries = [
  'stream=codec_type,codec_name,profile,pix_fmt,width,height,sample_aspect_ratio,r_frame_rate,avg_frame_rate',
  'field_order,color_transfer,sample_rate:stream_disposition=attached_pic:stream_side_data=side_data_type,rotation',
  'format=format_name,duration',
]

interface Probing extends Pick<ToolProcess, 'stdin'> {
  /** How it ended, and what it has found: nothing when it could not read it. */
  found: Promise<{ ending: ProcessExit; probe: MediaProbe | undefined }>
}

export function startProbe(input: Input, tools: Tools, settings: MediaSettings, signal: AbortSignal): Probing {
  const show = `${entries[0]},${entries[1]}:${entries[2]}`
  const args = ['-v', 'error', '-hide_banner', '-of', 'json', '-show_entries', show, ...inputOf(input, settings)]
  const lines: string[] = []
  const { stdin, ended } = startChild(tools.ffprobe, args, { memory: tools.memory, signal }, (line) => lines.push(line))
  return { stdin, found: ended.then((ending) => ({ ending, probe: readProbe(lines.join('\n')) })) }
}

/** ffprobe's JSON, as far as it is asked for. */
interface Shown {
  streams?: ShownStream[]
  format?: { format_name?: string; duration?: string }
}

interface ShownStream {
  codec_type?: string
  codec_name?: string
  profile?: string
  pix_fmt?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  r_frame_rate?: string
  avg_frame_rate?: string
  field_order?: string
  color_transfer?: string
  sample_rate?: string
  disposition?: { attached_pic?: number }
  side_data_list?: { side_data_type?: string; rotation?: number }[]
}

function readProbe(text: string): MediaProbe | undefined {
  const { streams = [], format } = parse(text)
  if (!format) return undefined
  const video = streams.find((one) => one.codec_type === 'video' && one.disposition?.attached_pic !== 1)
  const audio = streams.find((one) => one.codec_type === 'audio')
  return {
    format: format.format_name ?? '',
    duration: positive(Number(format.duration)),
    video: video && readVideo(video),
    audio: audio && {
      codec: audio.codec_name ?? '',
      profile: audio.profile ?? '',
      rate: Number(audio.sample_rate) || 0,
    },
  }
}

/** Nothing where it was cut short. The exit code is no help: the WebAssembly build has the same for all. */
function parse(text: string): Shown {
  try {
    // Its own writer made this; a stream that it has no word on lacks the key.
    return JSON.parse(text) as Shown
  } catch {
    return {}
  }
}

function readVideo(stream: ShownStream): VideoStream | undefined {
  const { codec_name: codec, width = 0, height = 0, field_order: order = 'unknown' } = stream
  if (!codec || width < 1 || height < 1) return undefined
  const matrix = stream.side_data_list?.find((data) => data.side_data_type === 'Display Matrix')
  return {
    codec,
    profile: stream.profile ?? '',
    pixels: stream.pix_fmt ?? '',
    width,
    height,
    aspect: ratio(stream.sample_aspect_ratio, ':') || 1,
    rotation: matrix && (matrix.rotation ?? 0),
    isInterlaced: !['progressive', 'unknown'].includes(order),
    transfer: stream.color_transfer ?? '',
    meanRate: ratio(stream.avg_frame_rate, '/'),
    baseRate: ratio(stream.r_frame_rate, '/'),
  }
}

/** 0 unless both numbers are there. */
function ratio(text: string | undefined, sign: string): number {
  const [top, bottom] = (text ?? '').split(sign).map(Number)
  return positive(top! / bottom!) ?? 0
}

const positive = (value: number) => (Number.isFinite(value) && value > 0 ? value : undefined)
