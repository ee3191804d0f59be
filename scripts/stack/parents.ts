// Ends `npm start` with npm: a signal to npm alone reaches the shell between them, which does not pass it on.
import { readFileSync } from 'node:fs'

/** Under npm: exits within a second when npm, or the shell that it runs scripts with, is gone. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const before = parents()
  setInterval(() => {
    if (parents() !== before) process.exit(0)
  }, 500).unref()
}

// Where there is no /proc the shell makes way for the script, so that the parent is npm itself.
const parents = () => `${process.ppid} ${process.platform === 'linux' ? parentOf(process.ppid) : ''}`

function parentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]!
  } catch {
    return 'gone'
  }
}
