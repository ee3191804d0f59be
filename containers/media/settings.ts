// What the environment says, read once.
import { type Environment, number, readServerSettings, type ServerSettings } from '../shared/settings.ts'

export interface MediaSettings extends ServerSettings {
  /** A path, or a name on the PATH; `wasm` for the WebAssembly one; unset: whichever there is. */
  ffmpeg: string | undefined
  maxJobs: number
  maxDisk: number
  maxPixels: number
  maxSeconds: number
  maxMemory: number
}

/** Refuses a variable that is not a number where one is asked for. */
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
