// Processes as Linux shows them, by files under /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Process {
  pid: number
  program: string
  /** `NAME=value` each. */
  environment: string[]
}

/** A process that another one has started and that is the one; nothing where there is no /proc to find it in. */
export function childOf(parent: number, isIt: (child: Process) => boolean): Process | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => childAt(pid, parent) ?? [])
    .find(isIt)
}

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
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return { pid: Number(pid), program: program!, environment }
  } catch {
    return undefined // It has ended meanwhile.
  }
}
