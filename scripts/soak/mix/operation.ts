// What the soak does to the stack, one file for each component.

import type { Client } from '../../lib/http-client.ts'
import type { Random } from '../../lib/random.ts'
import type { Target } from '../../lib/target.ts'

/** What an operation works with. */
export interface World extends Client {
  /** Of the stack, without a slash at its end. */
  url: string
  random: Random
  target: Target
  /** A text that no other operation has, of letters, digits and hyphens. */
  unique(): string
}

/** One thing that somebody does, from its request to what must have come of it. */
export interface Operation {
  name: string
  /** How often beside the others. */
  weight: number
  /** Throws where it is refused, or where what should have come of it does not. */
  run(world: World): Promise<void>
}

/** What is done to a component. */
export interface Part {
  /** Makes what the operations need to be there. */
  prepare?(world: World): Promise<void>
  operations: Operation[]
  /** What must hold when all is over, after so many milliseconds; throws where it does not. */
  check?(world: World, lasted: number): Promise<void>
}
