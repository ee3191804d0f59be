import { stat } from 'node:fs/promises'
import type { MediaSettings } from '../settings.ts'
import { type ProcessExit, startChild } from './child-process.ts'
import { inputOf } from './input.ts'
import type { Tools } from './tools.ts'

export interface Still {
  /** The video. */
  from: string
  /** Where the JPEG goes. */
  to: string
  seconds: number
}

/** Writes the frame that is shown at a time, as it is shown. How it ended where there is none. */
export async function takeStill(
  { from, to, seconds }: Still,
  tools: Tools,
  settings: MediaSettings,
  signal: AbortSignal,
): Promise<ProcessExit | undefined> {
  const args = [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-y', '-max_alloc', String(settings.maxMemory)],
    ...['-threads', String(tools.threads), '-ss', seconds.toFixed(3), ...inputOf(`file:${from}`, settings)],
    ...['-map', '0:V:0', '-frames:v', '1', '-an', '-sn', '-dn'],
    ...['-vf', 'scale=max(1\\,round(iw*sar)):ih,setsar=1', '-pix_fmt', 'yuvj420p'],
    // The WebAssembly build never comes back from making tables of its own.
    ...['-c:v', 'mjpeg', '-q:v', '3', '-huffman', 'default', '-flags:v', '+bitexact'],
    ...['-map_metadata', '-1', '-f', 'mjpeg', `file:${to}`],
  ]
  const { stdin, ended } = startChild(tools.ffmpeg, args, { memory: tools.memory, signal }, () => {})
  stdin.end()
  const ending = await ended
  signal.throwIfAborted()
  return ending.code === 0 && (await sizeOf(to)) > 0 ? undefined : ending
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0
