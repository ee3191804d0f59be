// Videos for the tests of the media container: made by ffmpeg if it is installed, else the small one in the repository.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { has } from '../../../scripts/lib/programs.ts'

/** A video of 160 x 120 pixels and two seconds, with H.264 and AAC, and its index in front. */
export const clip = readFileSync('tests/support/media/clip.mp4')

export const hasNative = has('ffmpeg') && has('ffprobe')

/** Whether the installed ffmpeg has the filters that convert HDR videos for usual screens. */
export const canToneMap = hasNative && / zscale .*/.test(run('ffmpeg', ['-v', 'error', '-filters']))

/** The kinds of ffmpeg that the tests can run. */
export const kinds = hasNative ? ['native', 'wasm'] : ['wasm']

const made = new Map<string, Buffer>()

/** Runs ffmpeg with these arguments, once, and returns the file that it makes. */
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

/** Input arguments of ffmpeg: a test pattern with this size, duration and frame rate. */
export const pattern = (size = '320x240', seconds = 2, rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
]

export const tone = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=440:d=${seconds}`]

export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p']

/** Makes a transport stream of twelve seconds without audio, which ffmpeg can read while it arrives. */
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

/** Reads all streams, packets and chapters of a video with ffprobe. */
export function probe(video: Buffer): Probed {
  const all = ['-show_streams', '-show_format', '-show_chapters', '-show_entries', 'packet=codec_type,pts_time,flags']
  return JSON.parse(withFile(video, (path) => ffprobe([...all, '-of', 'json', path])))
}

/** The times of the key frames, in seconds. */
export const keyFrames = ({ packets }: Pick<Probed, 'packets'>): number[] =>
  packets
    .filter(({ codec_type, flags }) => codec_type === 'video' && flags.startsWith('K'))
    .map(({ pts_time }) => Number(pts_time))

/** Hashes of the packets of each stream. Copying a stream does not change them. */
export const digests = (video: Buffer): string[] =>
  withFile(video, (path) => run('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', '-f', 'streamhash', '-']))
    .trim()
    .split('\n')

/** Whether an mp4 has the first frame of another one, as after copying a stream. */
export function beginsAs(video: Buffer, other: Buffer): boolean {
  const at = other.indexOf('mdat') + 4
  return video.includes(other.subarray(at, at + 500))
}

/** A frame of a video at this time, as a PNG. */
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

/**
 * Whether the index (`moov`) comes before the media data, which a player needs to start before it has the whole file.
 */
export const isFastStart = (video: Buffer) => video.indexOf('moov') > 0 && video.indexOf('moov') < video.indexOf('mdat')

/** Changes an mp4 so that its first track is shown rotated clockwise by these degrees. */
export function turned(video: Buffer, degrees: number): Buffer {
  const copy = Buffer.from(video)
  const matrix = copy.indexOf('tkhd') + 44
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (const [at, value] of [cos, sin, 0, -sin, cos].entries())
    copy.writeInt32BE(Math.round(value * 65_536), matrix + 4 * at)
  return copy
}
