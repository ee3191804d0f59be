// Types of the operations in a soak test. Each file in this folder has the operations of one component or a few.

import type { HttpClient } from '../../lib/http-client.ts'
import type { Random } from '../../lib/random.ts'
import type { WebhookTarget } from '../../lib/target.ts'

/** The tools that an operation gets: an HTTP client, random numbers, and the stand-in for other systems. */
export interface SoakWorld extends HttpClient {
  /** Address of the stack, without a trailing slash. */
  url: string
  random: Random
  target: WebhookTarget
  /** A unique text of letters, digits and hyphens. */
  unique(): string
}

/** One user action, from its request to its last effect. */
export interface SoakOperation {
  name: string
  /** How often the operation runs, relative to the others. */
  weight: number
  /** Throws if a request fails or an expected effect does not occur. */
  run(world: SoakWorld): Promise<void>
}

/** The operations of a component. */
export interface ComponentMix {
  /** Creates data that the operations need. */
  prepare?(world: SoakWorld): Promise<void>
  operations: SoakOperation[]
  /**
   * Checks the state of the component at the end. `lasted` is the duration of the run in milliseconds. Throws if the
   * state is wrong.
   */
  check?(world: SoakWorld, lasted: number): Promise<void>
}
