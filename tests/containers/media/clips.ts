// Videos for the tests: made by ffmpeg where there is one, else the small one that is here.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { has } from '../../../scripts/lib/programs.ts'

/** 160 x 120, two seconds, H.264 and AAC, its index at the front. */
export const clip = readFileSync('tests/support/media/clip.mp4')

export const hasNative = has('ffmpeg') && has('ffprobe')

/** Whether the native ffmpeg has what shows high dynamic range on usual screens. */
export const canToneMap = hasNative && / zscale .*/.test(run('ffmpeg', ['-v', 'error', '-filters']))

/** Names of the ffmpegs that there are. */
export const kinds = hasNative ? ['native', 'wasm'] : ['wasm']

const made = new Map<string, Buffer>()

/** What ffmpeg makes of these arguments, made once. */
export function make(args: string[], name: string, files: Record<string, Buffer> = {}): Buffer {
  const key = JSON.stringify([args, name, Object.keys(files)])
  const clip = made.get(key) ?? inFolder((folder) => makeIn(folder, args, name, files))
  made.set(key, clip)
  return clip
}

function makeIn(folder: string, args: string[], name: string, files: Record<string, Buffer>): Buffer {
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes)
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args, name], { cwd: folder })
  return readFileSync(join(folder, name))
}

/** A test pattern of some size, frame rate and seconds. */
export const pattern = (size = '320x240', seconds = 2, rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
]

export const tone = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=440:d=${seconds}`]

export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p']

/** A transport stream, which can be read as it comes: a dozen seconds without audio. */
export const makeStream = () => make([...pattern('160x120', 12, 10), ...h264, '-g', '10'], 'a.ts')

interface Stream {
  codec_name: string
  codec_type: string
  profile: string
  pix_fmt: string
  width: number
  height: number
  channels: number
  sample_aspect_ratio: string
  avg_frame_rate: string
  color_transfer?: string
  side_data_list?: object[]
  tags?: Record<string, string>
}

export interface Probed {
  streams: Stream[]
  format: { duration: string; tags: object }
  chapters: object[]
  packets: { codec_type: string; pts_time: string; flags: string }[]
}

/** All that ffprobe has to say. */
export function probe(video: Buffer): Probed {
  const all = ['-show_streams', '-show_format', '-show_chapters', '-show_entries', 'packet=codec_type,pts_time,flags']
  return JSON.parse(withFile(video, (path) => ffprobe([...all, '-of', 'json', path])))
}

/** The times of the key frames, in seconds. */
export const keyFrames = ({ packets }: Pick<Probed, 'packets'>): number[] =>
  packets
    .filter(({ codec_type, flags }) => codec_type === 'video' && flags.startsWith('K'))
    .map(({ pts_time }) => Number(pts_time))

/** Digests of the packets of each stream, which a copy does not change. */
export const digests = (video: Buffer): string[] =>
  withFile(video, (path) => run('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', '-f', 'streamhash', '-']))
    .trim()
    .split('\n')

/** Whether an mp4 begins with just the frame that another begins with, as a copy does. */
export function beginsAs(video: Buffer, other: Buffer): boolean {
  const at = other.indexOf('mdat') + 4
  return video.includes(other.subarray(at, at + 500))
}

/** A frame as a PNG. */
export const frame = (video: Buffer, seconds: number): Buffer =>
  withFile(video, (path) =>
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-ss', String(seconds), '-i', path],
      ...['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', '-'],
    ]),
  )

const ffprobe = (args: string[]) => run('ffprobe', ['-v', 'error', ...args])

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 })
}

const withFile = <T>(bytes: Buffer, use: (path: string) => T): T =>
  inFolder((folder) => {
    const path = join(folder, 'file')
    writeFileSync(path, bytes)
    return use(path)
  })

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'media-clip-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whether the index comes before the media, as a player wants that begins before it has all. */
export const isFastStart = (video: Buffer) => video.indexOf('moov') > 0 && video.indexOf('moov') < video.indexOf('mdat')

/** An mp4 whose first track is shown turned to the right by so many degrees. */
export function turned(video: Buffer, degrees: number): Buffer {
  const copy = Buffer.from(video)
  const matrix = copy.indexOf('tkhd') + 44
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (const [at, value] of [cos, sin, 0, -sin, cos].entries())
    copy.writeInt32BE(Math.round(value * 65_536), matrix + 4 * at)
  return copy
}
