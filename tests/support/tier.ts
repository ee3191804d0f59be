// What this run covers: all, `npm test`, or what `npm run test:full` adds to it. A test that imports this runs in both.
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    tier: 'fast' | 'rest' | 'all'
    /** The most runs of a property test, or `null` without a limit. */
    fuzzRuns: number | null
  }
}

const tier = inject('tier')

/** False in `npm test`: `describe.runIf(isFull)`. */
export const isFull = tier !== 'fast'

/** False where `npm test` has run before. */
export const isFast = tier !== 'rest'

/** How often a property is tried: `full` times, and fewer in `npm test` or with `FUZZ_RUNS`. */
export const runs = (full: number): number => Math.min(full, inject('fuzzRuns') ?? full)
