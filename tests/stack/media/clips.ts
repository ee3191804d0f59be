// Makes videos with ffmpeg for the media tests, and reads the results with ffprobe. All calls are asynchronous: if the
// event loop were blocked, `fetch` would reuse a connection that the server has closed meanwhile.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Makes a file with ffmpeg from these arguments. The extension of the name decides the format. */
export const clip = (name: string, ...args: string[]): Promise<Buffer<ArrayBuffer>> =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    await run('ffmpeg', ['-v', 'error', '-y', ...args, path])
    return Buffer.from(readFileSync(path))
  })

/** Input arguments of ffmpeg: frames with a seconds counter, for this number of seconds. */
export const picture = (seconds: number, size = '320x240', rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`],
]

/** Input arguments of ffmpeg: such frames with a tone. */
export const film = (seconds: number, size?: string) => [
  ...picture(seconds, size),
  ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-shortest'],
]

/** Output arguments of ffmpeg: H.264 that the component may copy. Fast encoding matters more than size. */
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']

interface Probed {
  format: string
  codecs: string[]
  width: number
  height: number
  duration: number
  /** Number of frames that can be decoded. */
  frames: number
}

export async function probe(bytes: Uint8Array): Promise<Probed> {
  const output = await inFolder(async (folder) => {
    const path = join(folder, 'video')
    writeFileSync(path, bytes)
    const args = ['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path]
    return JSON.parse((await run('ffprobe', args)).stdout)
  })
  const video = output.streams.find((stream: { codec_type: string }) => stream.codec_type === 'video')
  return {
    format: output.format.format_name,
    codecs: output.streams.map((stream: { codec_name: string }) => stream.codec_name),
    width: video.width,
    height: video.height,
    duration: Number(output.format.duration),
    frames: Number(video.nb_read_frames),
  }
}

/** A checksum of each video packet. Copying a stream keeps the packets, so the checksums are equal. */
export const packetsOf = (bytes: Uint8Array): Promise<string[]> =>
  inFolder(async (folder) => {
    const path = join(folder, 'video')
    writeFileSync(path, bytes)
    const args = ['-v', 'error', '-i', path, '-map', '0:v:0', '-c', 'copy', '-f', 'framehash', '-hash', 'md5', '-']
    const { stdout } = await run('ffmpeg', args)
    const lines = stdout.split('\n')
    return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim())
  })

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-clips-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
