// Reads the streams, the size and the duration of a video with ffprobe.
import type { MediaSettings } from '../settings.ts'
import { type ProcessExit, startChild, type ToolProcess } from './child-process.ts'
import { type Input, inputOf } from './input.ts'
import type { Tools } from './tools.ts'

export interface MediaProbe {
  /** Name of the demuxer in ffmpeg. */
  format: string
  /** Duration in seconds; undefined if the container format has none. */
  duration: number | undefined
  video: VideoStream | undefined
  audio: AudioStream | undefined
}

export interface VideoStream {
  codec: string
  profile: string
  pixels: string
  /** Stored width in pixels: before rotation, and of pixels that may not be square. The height is the same. */
  width: number
  height: number
  /** Pixel aspect ratio: width divided by height. */
  aspect: number
  /**
   * Rotation in degrees as ffprobe reports it; undefined unless the file has a display matrix, which may also mirror.
   */
  rotation: number | undefined
  isInterlaced: boolean
  transfer: string
  /**
   * Frames per second: the average, and `baseRate`, the lowest rate at which every frame keeps its timestamp. 0 if
   * unknown.
   */
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

interface RunningProbe extends Pick<ToolProcess, 'stdin'> {
  /** How ffprobe exited, and its result; undefined if it could not read the file. */
  result: Promise<{ ending: ProcessExit; probe: MediaProbe | undefined }>
}

/** Starts ffprobe. If the input is a pipe, the caller writes the file to `stdin`. */
export function startProbe(input: Input, tools: Tools, settings: MediaSettings, signal: AbortSignal): RunningProbe {
  const shownEntries = `${entries[0]},${entries[1]}:${entries[2]}`
  const args = [
    '-v',
    'error',
    '-hide_banner',
    '-of',
    'json',
    '-show_entries',
    shownEntries,
    ...inputOf(input, settings),
  ]
  const lines: string[] = []
  const { stdin, ended } = startChild(tools.ffprobe, args, { memory: tools.memory, signal }, (line) => lines.push(line))
  return { stdin, result: ended.then((ending) => ({ ending, probe: readProbe(lines.join('\n')) })) }
}

/** The parts of ffprobe's JSON output that the arguments request. */
interface ProbeOutput {
  streams?: ProbeOutputStream[]
  format?: { format_name?: string; duration?: string }
}

interface ProbeOutputStream {
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

/**
 * Parses the output of ffprobe. Returns an empty object for truncated output: the exit code does not show it, since the
 * WebAssembly build always has the same.
 */
function parse(text: string): ProbeOutput {
  try {
    // The cast is safe since ffprobe wrote the JSON. Keys without a value are missing.
    return JSON.parse(text) as ProbeOutput
  } catch {
    return {}
  }
}

function readVideo(stream: ProbeOutputStream): VideoStream | undefined {
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

/** Parses a ratio such as `30000/1001`. Returns 0 if it is invalid. */
function ratio(text: string | undefined, sign: string): number {
  const [top, bottom] = (text ?? '').split(sign).map(Number)
  return positive(top! / bottom!) ?? 0
}

const positive = (value: number) => (Number.isFinite(value) && value > 0 ? value : undefined)
