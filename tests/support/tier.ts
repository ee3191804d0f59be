// Which tests this run covers: all, those of `npm test`, or those that `npm run test:full` adds. A test file that
// imports this module runs in both.
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    tier: 'fast' | 'rest' | 'all'
    /** Maximum number of runs of a property test, or `null` without a limit. */
    fuzzRuns: number | null
  }
}

const tier = inject('tier')

/** Whether this run may be slow; false in `npm test`. For `describe.runIf(isFull)`. */
export const isFull = tier !== 'fast'

/** Whether this run covers what `npm test` covers; false if `npm test` has run before. */
export const isFast = tier !== 'rest'

/** Number of runs of a property test: `full`, and fewer in `npm test` or with `FUZZ_RUNS`. */
export const runs = (full: number): number => Math.min(full, inject('fuzzRuns') ?? full)
