import type { Stack } from '../scripts/stack/stack.ts'
import type { Variables } from '../scripts/stack/variables.ts'

export interface BenchRequest {
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

/** One thing that a component does, as a benchmark repeats it. */
export interface BenchOperation {
  name: string
  /** The n-th request. */
  request(n: number): BenchRequest
  /** What a bare Worker does at the least to do the same: the path of the floor that it is held against. */
  floor?: 'read' | 'write' | 'object' | 'file' | 'none'
  /** What is hoped for, and in which figure. */
  goal?: { ratio: number } | { p50: number } | { rate: number } | { within: number; of: string }
  connections?: number
}

/** The module of a component's benchmark. */
export interface Bench {
  operations: BenchOperation[]
  /** What the stack is started with for it. */
  variables?: Variables
  /** Fills the component before it is measured. */
  prepare?(stack: Stack, origin: string): Promise<void>
  /** Holds the component against its peers, for about so many seconds at a time; gives the lines to print as they come. */
  compare?(origin: string, seconds: number): AsyncIterable<string>
}
