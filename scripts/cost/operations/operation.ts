// What is counted, one file for each component or a few.
import type { HttpClient } from '../../lib/http-client.ts'
import type { WebhookTarget } from '../../lib/target.ts'

export interface CostWorld extends HttpClient {
  url: string
  target: WebhookTarget
}

/** A request and all that follows from it. */
export interface CostOperation {
  name: string
  /** The n-th, from 0; what follows from it is waited for by whoever counts. */
  run(world: CostWorld, n: number): Promise<unknown>
  /** How often it is done at first, and then twice as often; 10 and 20 unless it takes long. */
  times?: number
}

export interface Costed {
  /** Fills the component to a size at which counting shows something, and makes what the operations need. */
  prepare?(world: CostWorld): Promise<void>
  /** The operation that nearly all of `prepare` was made by, and how often: by how much it lets a database grow. */
  filled?: { by: string; times: number }
  operations: CostOperation[]
}

/** The most that any operation is done. */
export const most = 30

/** Does something so many times, some of them at once. */
export async function many(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
