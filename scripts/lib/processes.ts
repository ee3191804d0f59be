// Reads memory and children of processes from /proc, for measurements.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

interface Process {
  pid: number
  name: string
  parent: number
}

/** The child processes of a process. */
export const childrenOf = (parent: number): Process[] => processes().filter((one) => one.parent === parent)

const processes = () => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []))

/** Reads a process. Undefined if it has ended. */
function read(pid: number): Process | undefined {
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(text(pid, 'stat')) ?? []
  return name === undefined ? undefined : { pid, name, parent: Number(parent) }
}

/** Bytes in memory now, and the maximum since the start or the last `resetPeak`; 0 if the process has ended. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = text(pid, 'status')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/**
 * Resets the peak of a process's memory to its current memory, so that a later reading is the peak of one measurement.
 */
export const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

function text(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
