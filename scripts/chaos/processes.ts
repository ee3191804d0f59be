// Finds processes in /proc, so that a chaos run can kill them. On systems without /proc, the functions find none.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  program: string
  /** The environment variables of the process, as `NAME=value`. */
  environment: string[]
}

/** The first child of a process that `matches`, or undefined. */
export const childOf = (parent: number, matches: (child: Process) => boolean): Process | undefined =>
  pids()
    .flatMap((pid) => childAt(pid, parent) ?? [])
    .find(matches)

/** The ids of processes with an environment variable (`NAME=value`). Children inherit the variable, so it marks a process tree. */
export const pidsWith = (variable: string): string[] => pids().filter((pid) => environmentAt(pid).includes(variable))

/**
 * Whether a process has released its files and ports. A zombie without threads has released them, although its pid
 * still exists.
 */
export function hasEnded(pid: string): boolean {
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
    const [, program, parentPid] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
    if (Number(parentPid) !== parent) return undefined
    return { pid: Number(pid), program: program!, environment: environmentAt(pid) }
  } catch {
    return undefined // The process has ended.
  }
}

function environmentAt(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // The process has ended, or belongs to another user.
  }
}
