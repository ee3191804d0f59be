// Helpers for child processes of the containers: kill a process group, and keep the last part of an output stream for
// the log.
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Kills a child that leads a process group, with all its descendants. */
export function killGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // An error means that the group has ended already.
  }
}

const maxTailCharacters = 8192

/**
 * Reads a stream to its end, so that the process never blocks on its output. Returns a function that returns the last
 * part so far.
 */
export function tailOf(stream: Readable): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-maxTailCharacters)
  })
  return () => tail
}
