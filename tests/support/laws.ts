import { expect, it } from 'vitest'
import { judge, type Law } from '../../scripts/chaos/law.ts'

/** What a law is called, and the least that breaks it. */
export type Offence<Run> = [law: string, commit: (run: Run) => void]

/** Holds the laws of a chaos run to a run that keeps them all, and to offences. */
export function holdsLaws<Run>(laws: Law<Run>[], kept: () => Run, offences: Offence<Run>[]) {
  const broken = (run: Run) => judge(laws, run).flatMap(({ name, breaches }) => (breaches.length > 0 ? [name] : []))

  it('hold of a run in which nothing went wrong but what must', () => {
    expect(broken(kept())).toEqual([])
  })

  it.each(offences)('%s: else it is broken', (law, commit) => {
    const run = kept()
    commit(run)
    expect(broken(run)).toContain(law)
  })

  it('are each broken by something', () => {
    expect(new Set(offences.map(([law]) => law))).toEqual(new Set(laws.map(({ name }) => name)))
  })
}
