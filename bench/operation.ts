// Types of a benchmark: the operations of a component, and its module.
import type { Stack } from '../scripts/stack/stack.ts'
import type { Variables } from '../scripts/stack/variables.ts'

export interface BenchRequest {
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

/** An operation of a component that the benchmark repeats. */
export interface BenchOperation {
  name: string
  /** The n-th request of the operation. */
  request(n: number): BenchRequest
  /** The operation of the bare Worker with the same storage calls, which is the baseline. */
  floor?: 'read' | 'write' | 'object' | 'file' | 'none'
  /** The goal of the operation, and the figure to which it applies. */
  goal?: { ratio: number } | { p50: number } | { rate: number } | { within: number; of: string }
  connections?: number
}

/** The module of a component's benchmark. */
export interface Bench {
  operations: BenchOperation[]
  /** Additional variables of the stack. */
  variables?: Variables
  /** Fills the component before the measurement. */
  prepare?(stack: Stack, origin: string): Promise<void>
  /** Compares the component with its peers, each measurement taking about `seconds`; yields lines to print. */
  compare?(origin: string, seconds: number): AsyncIterable<string>
}
