// Types of the operations whose cost is measured. Each file in this folder has the operations of one component or a
// few.
import type { HttpClient } from '../../lib/http-client.ts'
import type { WebhookTarget } from '../../lib/target.ts'

export interface CostWorld extends HttpClient {
  url: string
  target: WebhookTarget
  /** Runs the gateway's cron trigger once. */
  sweep(): Promise<void>
}

/** An operation to measure, with the work that follows from it. */
export interface CostOperation {
  name: string
  /**
   * Runs the operation the n-th time, from 0. It need not wait for work that follows: the measurement waits until the
   * stack is quiet.
   */
  run(world: CostWorld, n: number): Promise<unknown>
  /**
   * Number of runs in the first round; the second round has twice as many. Default: 10. Set fewer for slow operations.
   */
  times?: number
}

export interface Costed {
  /** Fills the component with enough rows for realistic counts, and creates data that the operations need. */
  prepare?(world: CostWorld): Promise<void>
  /**
   * The operation that made nearly all rows of `prepare`, and how often: by them, the growth of the database per
   * operation is computed.
   */
  filled?: { by: string; times: number }
  operations: CostOperation[]
}

/** Maximum number of runs of any operation over both rounds, for operations that need prepared data for each run. */
export const maxRuns = 30

/** Runs a function `count` times, some of them concurrently. */
export async function many(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
