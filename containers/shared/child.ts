// Helpers for child processes: killing a process group, and keeping the tail of an output stream for the log.
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Kills a child that leads a process group, with all its descendants. */
export function killGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

const maxTailCharacters = 8192

/** Reads a stream to its end, and returns a function that returns its last part. */
export function tailOf(stream: Readable): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-maxTailCharacters)
  })
  return () => tail
}
