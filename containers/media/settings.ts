// The settings of the media server, read from environment variables. README.md lists them.
import { type Environment, number, readServerSettings, type ServerSettings } from '../shared/settings.ts'

export interface MediaSettings extends ServerSettings {
  /** Path or name of ffmpeg, or `wasm` for the WebAssembly build. Default: the native one if it is installed. */
  ffmpeg: string | undefined
  /** Number of videos that are transcoded at the same time. */
  maxJobs: number
  /** Disk space that all jobs may use together, in bytes. */
  maxDisk: number
  /** Maximum number of pixels of an image or a video frame. */
  maxPixels: number
  /** Time limit of one transcoding, in seconds. */
  maxSeconds: number
  /** Memory limit of one ffmpeg process, in bytes. */
  maxMemory: number
}

/** Reads the settings. Throws if a numeric variable is not a number. */
export function readSettings(env: Environment): MediaSettings {
  return {
    ...readServerSettings(env, 'media-container'),
    ffmpeg: env.FFMPEG || undefined,
    maxJobs: number(env, 'MAX_JOBS', 2),
    maxDisk: number(env, 'MAX_DISK', 8_000_000_000),
    maxPixels: number(env, 'MAX_PIXELS', 100_000_000),
    maxSeconds: number(env, 'MAX_SECONDS', 3600),
    maxMemory: number(env, 'MAX_MEMORY', 2_000_000_000),
  }
}
