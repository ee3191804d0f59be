// What the soak does to the stack, one file for each component.

import type { HttpClient } from '../../lib/http-client.ts'
import type { Random } from '../../lib/random.ts'
import type { WebhookTarget } from '../../lib/target.ts'

/** What an operation works with. */
export interface SoakWorld extends HttpClient {
  /** Of the stack, without a slash at its end. */
  url: string
  random: Random
  target: WebhookTarget
  /** A text that no other operation has, of letters, digits and hyphens. */
  unique(): string
}

/** One thing that somebody does, from its request to what must have come of it. */
export interface SoakOperation {
  name: string
  /** How often beside the others. */
  weight: number
  /** Throws where it is refused, or where what should have come of it does not. */
  run(world: SoakWorld): Promise<void>
}

/** What is done to a component. */
export interface ComponentMix {
  /** Makes what the operations need to be there. */
  prepare?(world: SoakWorld): Promise<void>
  operations: SoakOperation[]
  /** What must hold when all is over, after so many milliseconds; throws where it does not. */
  check?(world: SoakWorld, lasted: number): Promise<void>
}
