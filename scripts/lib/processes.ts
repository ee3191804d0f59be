// What Linux says of processes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

interface Process {
  pid: number
  name: string
  parent: number
}

/** The processes that one has started. */
export const childrenOf = (parent: number): Process[] => processes().filter((one) => one.parent === parent)

const processes = () => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []))

/** Nothing of one that has ended. */
function read(pid: number): Process | undefined {
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(text(pid, 'stat')) ?? []
  return name === undefined ? undefined : { pid, name, parent: Number(parent) }
}

/** Bytes in memory now, and the most since the start or the last `resetPeak`; 0 of one that has ended. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = text(pid, 'status')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/** Has the peak begin from what is in memory now. */
export const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

function text(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
