// Finds ffmpeg and ffprobe at the start of the media server: native programs, or the WebAssembly build.
import { basename, dirname, join } from 'node:path'
import { locate } from '../../shared/program.ts'
import type { MediaSettings } from '../settings.ts'
import { startChild, type Tool } from './child-process.ts'

export interface Tools {
  kind: 'native' | 'wasm'
  ffmpeg: Tool
  ffprobe: Tool
  /** Memory limit of one process in bytes; undefined if the process limits itself. */
  memory: number | undefined
  /** Number of threads of the encoder libx264 and of the decoders. */
  threads: number
  /** Whether ffmpeg has the filters for HDR tone mapping. Without them, HDR videos are transcoded with dull colours. */
  canToneMap: boolean
  /** Whether the tools can read a pipe while it is written. If not, each source is stored in a file first. */
  canStream: boolean
}

/** Finds the `ffmpeg` in FFMPEG or on the PATH, and the `ffprobe` next to it; else the WebAssembly build. Throws if FFMPEG is not a program. */
export async function findTools({ ffmpeg: named, maxMemory }: MediaSettings, cores: number): Promise<Tools> {
  const ffmpeg = named === 'wasm' ? undefined : locate(named ?? 'ffmpeg')
  if (named && named !== 'wasm' && !ffmpeg) throw new Error('FFMPEG must be the path of a program, or wasm')
  if (!ffmpeg) return wasm(maxMemory)
  const ffprobe = locate(join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')))
  const tool: Tool = [ffmpeg]
  return {
    kind: 'native',
    ffmpeg: tool,
    ffprobe: ffprobe ? [ffprobe] : wasm(maxMemory).ffprobe,
    memory: maxMemory,
    // As many threads as libx264 uses by default, 1.5 per core, but at most 12.
    threads: Math.min(12, Math.ceil(cores * 1.5)),
    canStream: ffprobe !== undefined,
    canToneMap: await hasFilters(tool, ['zscale', 'tonemap']),
  }
}

function wasm(maxMemory: number): Tools {
  const script = join(import.meta.dirname, 'wasm.ts')
  const node: Tool = [process.execPath, `--max-old-space-size=${Math.ceil(maxMemory / 1_000_000)}`, script]
  // The WebAssembly build gets no memory limit: V8 reserves far more address space than it uses, and WebAssembly memory
  // ends at 2 GB.
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
