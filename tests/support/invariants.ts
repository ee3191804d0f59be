// Tests the invariants of chaos runs without running one.
import { expect, it } from 'vitest'
import { evaluate, type Invariant } from '../../scripts/chaos/invariant.ts'

/** The name of an invariant, and the smallest change to a correct run that violates it. */
export type Violation<Run> = [invariant: string, violate: (run: Run) => void]

/** Tests the invariants of a chaos run: a correct run satisfies all, and each is violated by at least one change. */
export function checkInvariants<Run>(
  invariants: Invariant<Run>[],
  correctRun: () => Run,
  violations: Violation<Run>[],
) {
  const violatedIn = (run: Run) =>
    evaluate(invariants, run).flatMap(({ name, violations }) => (violations.length > 0 ? [name] : []))

  it('hold for a correct run', () => {
    expect(violatedIn(correctRun())).toEqual([])
  })

  it.each(violations)('finds a violation of: %s', (invariant, violate) => {
    const run = correctRun()
    violate(run)
    expect(violatedIn(run)).toContain(invariant)
  })

  it('are each violated by a test', () => {
    expect(new Set(violations.map(([invariant]) => invariant))).toEqual(new Set(invariants.map(({ name }) => name)))
  })
}
