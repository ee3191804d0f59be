// Types of the soak test's operations; each file in this folder has one component or a few.

import type { HttpClient } from '../../lib/http-client.ts'
import type { Random } from '../../lib/random.ts'
import type { WebhookTarget } from '../../lib/target.ts'

/** The tools of an operation. */
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
  /** Relative frequency. */
  weight: number
  /** Throws if a request fails or an expected effect does not occur. */
  run(world: SoakWorld): Promise<void>
}

/** The operations of a component. */
export interface ComponentMix {
  /** Creates data that the operations need. */
  prepare?(world: SoakWorld): Promise<void>
  operations: SoakOperation[]
  /** Checks the state at the end, after this many milliseconds; throws if it is wrong. */
  check?(world: SoakWorld, lasted: number): Promise<void>
}
