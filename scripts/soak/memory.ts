// Measures the memory of the stack's processes from /proc; 0 on systems without /proc.
import { readFileSync } from 'node:fs'
import { childrenOf } from '../lib/processes.ts'
import type { Stack } from '../stack/stack.ts'

/** Memory in bytes. */
export interface MemoryUse {
  /** Resident set size. */
  rss: number
  /** Private memory, which a leak increases. */
  own: number
}

export interface Sample {
  /** Time of the measurement, in milliseconds from the start of the run. */
  at: number
  /** Memory of each process, by name. */
  held: Record<string, MemoryUse>
}

/** The name of the runtime's process in samples. */
export const runtime = 'workerd'

/** Measures all processes of a stack that runs in this process. */
export function sampleMemory(stack: Stack, at: number): Sample {
  const children = childrenOf(process.pid)
  const groups: [string, number[]][] = [
    [runtime, children.flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))],
    ['node', [process.pid]],
    ...Object.entries(stack.containers).flatMap(([name, { pid }]): [string, number[]][] => {
      const server = pid()
      if (server === undefined) return []
      return [
        [name, [server]],
        [startedBy(name), below(server)],
      ]
    }),
  ]
  return { at, held: Object.fromEntries(groups.map(([name, pids]) => [name, sumOf(pids.map(memoryOf))])) }
}

const startedBy = (name: string) => `  started by ${name}`

/** Whether a process is a short-lived child of a container, such as ffmpeg, whose growth means nothing. */
export const isTransient = (name: string) => name.startsWith(' ')

const below = (parent: number): number[] => childrenOf(parent).flatMap(({ pid }) => [pid, ...below(pid)])

const sumOf = (all: MemoryUse[]): MemoryUse => ({
  rss: all.reduce((sum, { rss }) => sum + rss, 0),
  own: all.reduce((sum, { own }) => sum + own, 0),
})

function memoryOf(pid: number): MemoryUse {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1_024
    return { rss: field('Rss'), own: field('Private_Clean') + field('Private_Dirty') }
  } catch {
    return { rss: 0, own: 0 } // The process has ended.
  }
}
