// The work of the gateway itself whose cost is measured.
import type { Costed } from './operation.ts'

/** The gateway is no component, so that the list of components does not contain this constant. */
export const sweeps = {
  operations: [{ name: 'the work of every minute, in all components', run: ({ sweep }) => sweep() }],
} satisfies Costed
