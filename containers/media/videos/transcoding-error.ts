import type { ProcessExit } from '../ffmpeg/child-process.ts'

export type VideoFailureKind =
  | 'unreadable'
  | 'stream'
  | 'too_long'
  | 'too_large'
  | 'out_of_memory'
  | 'out_of_disk'
  | 'killed'

/** Why there will be no mp4. */
export class TranscodingError extends Error {
  readonly kind: VideoFailureKind

  constructor(kind: VideoFailureKind) {
    super(kind)
    this.kind = kind
  }
}

/** What a program died of; `otherwise` where it just gave up. */
export function kindOf({ signal, log }: ProcessExit, otherwise: 'unreadable' | 'stream'): VideoFailureKind {
  if (/no space left on device|file too large|disk quota exceeded/i.test(log)) return 'out_of_disk'
  if (/Cannot allocate memory|malloc of size \d+ failed|[Oo]ut of memory/.test(log)) return 'out_of_memory'
  if (!signal) return otherwise
  // Its own fault, which is there again the next time.
  return ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'].includes(signal) ? otherwise : 'killed'
}
