import { expect, it } from 'vitest'
import { judge, type Law } from '../../scripts/chaos/law.ts'

/** An invariant's name, and the smallest change to a run that violates it. */
export type Violation<Run> = [law: string, violate: (run: Run) => void]

/** Tests the invariants of a chaos run: a correct run satisfies all, and each is violated by at least one change. */
export function checkInvariants<Run>(laws: Law<Run>[], correctRun: () => Run, violations: Violation<Run>[]) {
  const violatedIn = (run: Run) => judge(laws, run).flatMap(({ name, breaches }) => (breaches.length > 0 ? [name] : []))

  it('hold for a correct run', () => {
    expect(violatedIn(correctRun())).toEqual([])
  })

  it.each(violations)('finds a violation of: %s', (law, violate) => {
    const run = correctRun()
    violate(run)
    expect(violatedIn(run)).toContain(law)
  })

  it('are each violated by a test', () => {
    expect(new Set(violations.map(([law]) => law))).toEqual(new Set(laws.map(({ name }) => name)))
  })
}
