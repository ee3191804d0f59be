// Chooses the ffmpeg arguments that turn any video into an mp4 that plays everywhere.
import type { PixelSize } from '../orientation.ts'
import type { AudioStream, MediaProbe, VideoStream } from './probe.ts'
import type { Tools } from './tools.ts'

export interface TranscodingOptions {
  /** Whether streams that are H.264 or AAC already may be copied instead of encoded. */
  mayCopy: boolean
  /** Maximum length of the longer side, in pixels. */
  maxDimension: number
}

/** The arguments of ffmpeg between its input and its output. */
export function transcodingArgs(
  { format, video, audio }: MediaProbe & { video: VideoStream },
  options: TranscodingOptions,
  tools: Tools,
): string[] {
  const size = sizeFor(video, options.maxDimension)
  const mayCopy = options.mayCopy && hasTimestamps(format)
  const copiesVideo = mayCopy && isPlayable(video, size)
  const copiesAudio = mayCopy && audio && isAac(audio)
  return [
    ...['-map', '0:V:0', ...(copiesVideo ? ['-c:v', 'copy'] : encodeVideo(format, video, size, tools))],
    ...(audio ? ['-map', '0:a:0', ...(copiesAudio ? ['-c:a', 'copy'] : encodeAudio(audio))] : ['-an']),
    ...['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
    ...['-max_muxing_queue_size', '1024', '-movflags', '+faststart', '-f', 'mp4'],
  ]
}

/** The size of the mp4: rotated, with square pixels, never enlarged, both sides even as H.264 requires. */
function sizeFor({ width, height, aspect, rotation = 0 }: VideoStream, maxDimension: number): PixelSize {
  const squareWidth = Math.round(width * aspect)
  const [shownWidth, shownHeight] = Math.round(rotation / 90) % 2 === 0 ? [squareWidth, height] : [height, squareWidth]
  const scale = Math.min(1, maxDimension / Math.max(shownWidth, shownHeight))
  return { width: even(shownWidth, scale, maxDimension), height: even(shownHeight, scale, maxDimension) }
}

function even(side: number, scale: number, maxDimension: number): number {
  const maxSide = 2 * Math.floor(Math.min(side, maxDimension) / 2)
  return Math.max(2, Math.min(maxSide, 2 * Math.round((side * scale) / 2)))
}

/**
 * Whether the container format has timestamps for all packets. An mp4 needs them, so streams of other formats, such as
 * AVI, cannot be copied.
 */
const hasTimestamps = (format: string) => /^(mov|matroska|flv|mpegts)\b/.test(format)

const profiles = ['Constrained Baseline', 'Baseline', 'Main', 'High']

const isPlayable = (video: VideoStream, { width, height }: PixelSize) =>
  video.codec === 'h264' &&
  profiles.includes(video.profile) &&
  ['yuv420p', 'yuvj420p'].includes(video.pixels) &&
  video.rotation === undefined &&
  video.aspect === 1 &&
  !video.isInterlaced &&
  video.width === width &&
  video.height === height

const isAac = ({ codec, profile }: AudioStream) => codec === 'aac' && ['LC', 'HE-AAC', 'HE-AACv2'].includes(profile)

function encodeVideo(format: string, video: VideoStream, size: PixelSize, tools: Tools): string[] {
  return [
    ...['-vf', filters(format, video, size, tools).join(',')],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    // Forces a key frame at least every two seconds, which players need to seek. 1.75 leaves room for sources of 5
    // frames a second, where the next frame may be 0.2 s late.
    ...['-force_key_frames', 'expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1.75))'],
    ...['-fps_mode', 'vfr', '-threads:v', String(tools.threads)],
  ]
}

function filters(format: string, video: VideoStream, size: PixelSize, { canToneMap }: Tools): string[] {
  const rate = rateFor(format, video)
  const isHdr = ['smpte2084', 'arib-std-b67'].includes(video.transfer)
  return [
    ...(video.isInterlaced ? ['yadif=deint=interlaced'] : []),
    ...(rate ? [`fps=${rate}`] : []),
    ...(isHdr && canToneMap ? toneMap(video, size) : scale(video, size)),
    'format=yuv420p',
    'setsar=1',
  ]
}

/**
 * The frame rate of the mp4; undefined keeps the timestamps of the source. High rates are limited, and very low ones
 * are raised, since key frames would be too far apart.
 */
function rateFor(format: string, { meanRate, baseRate }: VideoStream): number | undefined {
  if (meanRate > 61) return 60
  const isSparse = meanRate < 5 || format === 'gif' || format === 'apng'
  return isSparse ? Math.min(50, Math.max(5, baseRate)) : undefined
}

function scale({ pixels }: VideoStream, { width, height }: PixelSize): string[] {
  // RGB has no colour matrix, so BT.709 is set, which players expect.
  const matrix = /rgb|bgr|gbr|pal8/.test(pixels) ? ':out_color_matrix=bt709:out_range=tv' : ''
  return [`scale=${width}:${height}${matrix}`]
}

/** Tone mapping from HDR to standard dynamic range. */
const toneMap = ({ transfer }: VideoStream, { width, height }: PixelSize) => [
  `zscale=w=${width}:h=${height}:tin=${transfer}:min=bt2020nc:pin=bt2020:t=linear:npl=100`,
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]

const encodeAudio = ({ rate }: AudioStream) => [
  ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-af', 'aresample=async=1'],
  ...(rate > 48_000 ? ['-ar', '48000'] : []),
]
