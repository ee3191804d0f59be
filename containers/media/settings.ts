// What the environment says, read once.
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Settings {
  port: number
  host: string
  /** Empty: nobody is asked for one. */
  token: string
  workDir: string
  /** A path, or a name on the PATH; `wasm` for the WebAssembly one; unset: whichever there is. */
  ffmpeg: string | undefined
  maxJobs: number
  maxDisk: number
  maxPixels: number
  maxSeconds: number
  maxMemory: number
}

/** Refuses a variable that is not a number where one is asked for. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  return {
    port: number(env, 'PORT', 8080),
    host: env.HOST || '0.0.0.0',
    token: env.TOKEN ?? '',
    workDir: env.WORK_DIR || join(tmpdir(), 'media-container'),
    ffmpeg: env.FFMPEG || undefined,
    maxJobs: number(env, 'MAX_JOBS', 2),
    maxDisk: number(env, 'MAX_DISK', 8_000_000_000),
    maxPixels: number(env, 'MAX_PIXELS', 100_000_000),
    maxSeconds: number(env, 'MAX_SECONDS', 3600),
    maxMemory: number(env, 'MAX_MEMORY', 2_000_000_000),
  }
}

function number(env: Record<string, string | undefined>, name: string, fallback: number): number {
  const value = Number(env[name] || fallback)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number`)
  return value
}
