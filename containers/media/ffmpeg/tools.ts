// Which ffmpeg there is.
import { basename, dirname, join } from 'node:path'
import { locate } from '../../shared/program.ts'
import type { MediaSettings } from '../settings.ts'
import { startChild, type Tool } from './child-process.ts'

export interface Tools {
  kind: 'native' | 'wasm'
  ffmpeg: Tool
  ffprobe: Tool
  /** Bytes that one may allocate, where the system can hold it to that. */
  memory: number | undefined
  /** Of libx264 and the decoders. */
  threads: number
  canToneMap: boolean
  /** They read from a pipe while it is written to. */
  canStream: boolean
}

/** The `ffmpeg` that was named or is on the PATH, with the `ffprobe` beside it; else the WebAssembly one. */
export async function findTools({ ffmpeg: named, maxMemory }: MediaSettings, cores: number): Promise<Tools> {
  const ffmpeg = named === 'wasm' ? undefined : locate(named ?? 'ffmpeg')
  if (named && named !== 'wasm' && !ffmpeg) throw new Error('FFMPEG is not a program')
  if (!ffmpeg) return wasm(maxMemory)
  const ffprobe = locate(join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')))
  const tool: Tool = [ffmpeg]
  return {
    kind: 'native',
    ffmpeg: tool,
    ffprobe: ffprobe ? [ffprobe] : wasm(maxMemory).ffprobe,
    memory: maxMemory,
    // What libx264 takes by itself, up to a dozen.
    threads: Math.min(12, Math.ceil(cores * 1.5)),
    canStream: ffprobe !== undefined,
    canToneMap: await hasFilters(tool, ['zscale', 'tonemap']),
  }
}

function wasm(maxMemory: number): Tools {
  const script = join(import.meta.dirname, 'wasm.ts')
  const node: Tool = [process.execPath, `--max-old-space-size=${Math.ceil(maxMemory / 1_000_000)}`, script]
  // V8 reserves far more address space than it uses, and WebAssembly ends at 2 GB.
  const bounds = { memory: undefined, threads: 1, canToneMap: false, canStream: false }
  return { kind: 'wasm', ffmpeg: [...node, 'ffmpeg'], ffprobe: [...node, 'ffprobe'], ...bounds }
}

async function hasFilters(ffmpeg: Tool, names: string[]): Promise<boolean> {
  const found = new Set<string | undefined>()
  const limits = { memory: undefined, signal: AbortSignal.timeout(20_000) }
  const note = (line: string) => found.add(line.trim().split(/\s+/)[1])
  await startChild(ffmpeg, ['-hide_banner', '-filters'], limits, note).ended
  return names.every((name) => found.has(name))
}
