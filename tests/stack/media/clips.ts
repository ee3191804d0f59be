// Videos as ffmpeg makes them, and what ffprobe says of what became of them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file of a name whose extension says what ffmpeg makes of its arguments. */
export function clip(name: string, ...args: string[]): Buffer<ArrayBuffer> {
  return inFolder((folder) => {
    const path = join(folder, name)
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, path])
    return Buffer.from(readFileSync(path))
  })
}

/** Frames that count seconds, for so many of them. */
export const picture = (seconds: number, size = '320x240', rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`],
]

/** A tone besides. */
export const film = (seconds: number, size?: string) => [
  ...picture(seconds, size),
  ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-shortest'],
]

/** H.264 that may be copied; fast rather than small. */
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']

export interface Probed {
  format: string
  codecs: string[]
  width: number
  height: number
  duration: number
  /** Frames that can be decoded. */
  frames: number
}

export function probe(bytes: Uint8Array): Probed {
  const said = inFolder((folder) => {
    const path = join(folder, 'video')
    writeFileSync(path, bytes)
    const args = ['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path]
    return JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' }))
  })
  const video = said.streams.find((stream: { codec_type: string }) => stream.codec_type === 'video')
  return {
    format: said.format.format_name,
    codecs: said.streams.map((stream: { codec_name: string }) => stream.codec_name),
    width: video.width,
    height: video.height,
    duration: Number(said.format.duration),
    frames: Number(video.nb_read_frames),
  }
}

/** A checksum of each packet of the picture, which a copy keeps. */
export const packetsOf = (bytes: Uint8Array): string[] =>
  inFolder((folder) => {
    const path = join(folder, 'video')
    writeFileSync(path, bytes)
    const args = ['-v', 'error', '-i', path, '-map', '0:v:0', '-c', 'copy', '-f', 'framehash', '-hash', 'md5', '-']
    const lines = execFileSync('ffmpeg', args, { encoding: 'utf8' }).split('\n')
    return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim())
  })

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-clips-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
