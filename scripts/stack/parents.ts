// Ends `npm start` together with npm. A signal to npm alone reaches only the shell between them, which does not pass it on.
import { readFileSync } from 'node:fs'

/** If npm runs this process: exits within a second after npm or its shell has ended. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const before = parents()
  setInterval(() => {
    if (parents() !== before) process.exit(0)
  }, 500).unref()
}

// The parents of this process, as a text to compare. On systems without /proc, the shell replaces itself with the
// script, so the parent is npm itself.
const parents = () => `${process.ppid} ${process.platform === 'linux' ? parentOf(process.ppid) : ''}`

function parentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]!
  } catch {
    return 'gone'
  }
}
