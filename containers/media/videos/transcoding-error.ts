// Why a video could not be transcoded, derived from how ffmpeg or ffprobe exited.
import type { ProcessExit } from '../ffmpeg/child-process.ts'

export type VideoFailureKind =
  | 'unreadable'
  | 'stream'
  | 'too_long'
  | 'too_large'
  | 'out_of_memory'
  | 'out_of_disk'
  | 'killed'

/** Thrown when a video cannot be transcoded. */
export class TranscodingError extends Error {
  readonly kind: VideoFailureKind

  constructor(kind: VideoFailureKind) {
    super(kind)
    this.kind = kind
  }
}

/** Derives the kind of a failure from how a program exited. Returns `fallback` if the program rejected its input. */
export function failureKindOf({ signal, log }: ProcessExit, fallback: 'unreadable' | 'stream'): VideoFailureKind {
  if (/no space left on device|file too large|disk quota exceeded/i.test(log)) return 'out_of_disk'
  if (/Cannot allocate memory|malloc of size \d+ failed|[Oo]ut of memory/.test(log)) return 'out_of_memory'
  if (!signal) return fallback
  // These signals mean that the program crashed on its input, which a retry would repeat. Any other signal killed it
  // from outside.
  return ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'].includes(signal) ? fallback : 'killed'
}
