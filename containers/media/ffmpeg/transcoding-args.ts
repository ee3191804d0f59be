// What is to be done with a source so that it becomes an mp4 which plays everywhere.
import type { PixelSize } from '../orientation.ts'
import type { AudioStream, MediaProbe, VideoStream } from './probe.ts'
import type { Tools } from './tools.ts'

export interface Wishes {
  mayCopy: boolean
  /** Pixels of the longest side. */
  maxDimension: number
}

interface Plan {
  /** What stands between ffmpeg's input and its output. */
  args: string[]
}

export function planFor(
  { format, video, audio }: MediaProbe & { video: VideoStream },
  wishes: Wishes,
  tools: Tools,
): Plan {
  const size = sizeFor(video, wishes.maxDimension)
  const mayCopy = wishes.mayCopy && hasTimes(format)
  const copiesVideo = mayCopy && isPlayable(video, size)
  const copiesAudio = mayCopy && audio && isAac(audio)
  return {
    args: [
      ...['-map', '0:V:0', ...(copiesVideo ? ['-c:v', 'copy'] : encodeVideo(format, video, size, tools))],
      ...(audio ? ['-map', '0:a:0', ...(copiesAudio ? ['-c:a', 'copy'] : encodeAudio(audio))] : ['-an']),
      ...['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
      ...['-max_muxing_queue_size', '1024', '-movflags', '+faststart', '-f', 'mp4'],
    ],
  }
}

/** As displayed: turned, with square pixels; never enlarged, both sides even. */
function sizeFor({ width, height, aspect, rotation = 0 }: VideoStream, maxDimension: number): PixelSize {
  const shown = Math.round(width * aspect)
  const [across, down] = Math.round(rotation / 90) % 2 === 0 ? [shown, height] : [height, shown]
  const scale = Math.min(1, maxDimension / Math.max(across, down))
  return { width: even(across, scale, maxDimension), height: even(down, scale, maxDimension) }
}

function even(side: number, scale: number, maxDimension: number): number {
  const most = 2 * Math.floor(Math.min(side, maxDimension) / 2)
  return Math.max(2, Math.min(most, 2 * Math.round((side * scale) / 2)))
}

/** AVI and its age have packets without a time, which an mp4 must have. */
const hasTimes = (format: string) => /^(mov|matroska|flv|mpegts)\b/.test(format)

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
    // So much less than two seconds that the frame which comes next is not too late, at five a second either.
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

/** A source keeps its frames at their times, unless there are too many, or so few that key frames would be far apart. */
function rateFor(format: string, { meanRate, baseRate }: VideoStream): number | undefined {
  if (meanRate > 61) return 60
  const isSparse = meanRate < 5 || format === 'gif' || format === 'apng'
  return isSparse ? Math.min(50, Math.max(5, baseRate)) : undefined
}

function scale({ pixels }: VideoStream, { width, height }: PixelSize): string[] {
  // RGB has no matrix of its own: players expect this one.
  const matrix = /rgb|bgr|gbr|pal8/.test(pixels) ? ':out_color_matrix=bt709:out_range=tv' : ''
  return [`scale=${width}:${height}${matrix}`]
}

/** To what screens show without high dynamic range. */
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
