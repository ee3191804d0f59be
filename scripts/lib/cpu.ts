// What Linux says of the time that processes have worked.
import { readFileSync } from 'node:fs'
import { childrenOf } from './processes.ts'

/** Milliseconds that a process has worked, and all that it has started, those that have ended included; 0 elsewhere. */
export function workOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const text = statOf(pid)
  // Behind its name, which may have anything in it: of itself, and of its children that have ended, for users and the system.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tick
  return childrenOf(pid).reduce((sum, child) => sum + workOf(child.pid), own)
}

/** Milliseconds, on every Linux that is not built for something else. */
const tick = 10

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return '' // It has ended.
  }
}
