// Reads the CPU time of processes from /proc.
import { readFileSync } from 'node:fs'
import { childrenOf } from './processes.ts'

/** CPU time of a process and its descendants in milliseconds, including ended ones; 0 on systems without /proc. */
export function workOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const text = statOf(pid)
  // The fields of /proc/<pid>/stat after the process name: user and system time of the process and of its ended
  // children. The name may contain any character, so fields are counted from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tick
  return childrenOf(pid).reduce((sum, child) => sum + workOf(child.pid), own)
}

/** Milliseconds per clock tick; 100 ticks a second on all common Linux systems. */
const tick = 10

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return '' // The process has ended.
  }
}
