// What the processes of a stack hold, as Linux says; elsewhere nothing is known of it.
import { readFileSync } from 'node:fs'
import { childrenOf } from '../lib/processes.ts'
import type { Stack } from '../stack/stack.ts'

/** Bytes. */
export interface MemoryUse {
  /** All that is in memory. */
  rss: number
  /** What no other process shares: what a leak adds to. */
  own: number
}

export interface Sample {
  /** Milliseconds from the start. */
  at: number
  /** By process. */
  held: Record<string, MemoryUse>
}

/** The processes that last as long as the stack; what the containers start, and end again, is not among them. */
export const runtime = 'workerd'

/** Looks at all processes of a stack that this process has started. */
export function lookAt(stack: Stack, at: number): Sample {
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
  return { at, held: Object.fromEntries(groups.map(([name, pids]) => [name, sumOf(pids.map(heldBy))])) }
}

const startedBy = (name: string) => `  started by ${name}`

/** Whether it is one of those that come and go. */
export const isTransient = (name: string) => name.startsWith(' ')

const below = (parent: number): number[] => childrenOf(parent).flatMap(({ pid }) => [pid, ...below(pid)])

const sumOf = (all: MemoryUse[]): MemoryUse => ({
  rss: all.reduce((sum, { rss }) => sum + rss, 0),
  own: all.reduce((sum, { own }) => sum + own, 0),
})

function heldBy(pid: number): MemoryUse {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1_024
    return { rss: field('Rss'), own: field('Private_Clean') + field('Private_Dirty') }
  } catch {
    return { rss: 0, own: 0 } // It has ended.
  }
}
