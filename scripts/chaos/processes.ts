// Processes as Linux shows them, by files under /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  program: string
  /** `NAME=value` each. */
  environment: string[]
}

/** A process that another one has started and that is the one; nothing where there is no /proc to find it in. */
export const childOf = (parent: number, isIt: (child: Process) => boolean): Process | undefined =>
  pids()
    .flatMap((pid) => childAt(pid, parent) ?? [])
    .find(isIt)

/** The processes that have a variable, as all have that such a one starts; none where there is no /proc. */
export const pidsWith = (variable: string): string[] => pids().filter((pid) => environmentAt(pid).includes(variable))

/** Whether a process has let go of all that it had; its pid may be there still, until somebody takes notice. */
export function isOver(pid: string): boolean {
  try {
    const [, state] = /.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
    return state === 'Z' && readdirSync(`/proc/${pid}/task`).length === 1
  } catch {
    return true
  }
}

const pids = () => (existsSync('/proc/self/stat') ? readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)) : [])

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function childAt(pid: string, parent: number): Process | undefined {
  try {
    const [, program, itsParent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
    if (Number(itsParent) !== parent) return undefined
    return { pid: Number(pid), program: program!, environment: environmentAt(pid) }
  } catch {
    return undefined // It has ended meanwhile.
  }
}

function environmentAt(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // The same, or it is another user's.
  }
}
