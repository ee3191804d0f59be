// Types of the measured operations; each file in this folder has one component or a few.
import type { HttpClient } from '../../lib/http-client.ts'
import type { WebhookTarget } from '../../lib/target.ts'

export interface CostWorld extends HttpClient {
  url: string
  target: WebhookTarget
}

/** An operation to measure, with the work that follows from it. */
export interface CostOperation {
  name: string
  /** Runs the operation the n-th time, from 0. Need not wait for work that follows. */
  run(world: CostWorld, n: number): Promise<unknown>
  /** Number of runs of the first round; the second has twice as many. 10 by default, fewer for slow operations. */
  times?: number
}

export interface Costed {
  /** Fills the component with enough rows for realistic counts, and creates data that the operations need. */
  prepare?(world: CostWorld): Promise<void>
  /** The operation that made nearly all of `prepare`, and how often: shows by how much it grows the database. */
  filled?: { by: string; times: number }
  operations: CostOperation[]
}

/** Maximum number of runs of any operation, over both rounds. */
export const maxRuns = 30

/** Runs a function `count` times, some of them concurrently. */
export async function many(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
