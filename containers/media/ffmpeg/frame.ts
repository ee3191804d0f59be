// Extracts one frame of a video with ffmpeg, for previews.
import { stat } from 'node:fs/promises'
import type { MediaSettings } from '../settings.ts'
import { type ProcessExit, startChild } from './child-process.ts'
import { inputOf } from './input.ts'
import type { Tools } from './tools.ts'

export interface FrameRequest {
  /** Path of the video. */
  from: string
  /** Path of the JPEG. */
  to: string
  /** Time of the frame, in seconds from the start. */
  seconds: number
}

/**
 * Writes the frame at a time as a JPEG, upright and with square pixels. Returns how ffmpeg exited if there is no frame,
 * else undefined.
 */
export async function extractFrame(
  { from, to, seconds }: FrameRequest,
  tools: Tools,
  settings: MediaSettings,
  signal: AbortSignal,
): Promise<ProcessExit | undefined> {
  const args = [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-y', '-max_alloc', String(settings.maxMemory)],
    ...['-threads', String(tools.threads), '-ss', seconds.toFixed(3), ...inputOf(`file:${from}`, settings)],
    ...['-map', '0:V:0', '-frames:v', '1', '-an', '-sn', '-dn'],
    ...['-vf', 'scale=max(1\\,round(iw*sar)):ih,setsar=1', '-pix_fmt', 'yuvj420p'],
    // Default Huffman tables are used, since the WebAssembly build hangs when it computes optimal ones.
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
