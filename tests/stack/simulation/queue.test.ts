// The deterministic simulation of the queue: some seeds, and that a seed always gives the same scenario.
import { describe, expect, it } from 'vitest'
import { runSeeds, textOf } from '../../../scripts/simulate/seeds.ts'

describe('the simulation of the queue', () => {
  it('violates no invariant in 200 scenarios', async () => {
    const { failed } = await runSeeds({ component: 'queue', from: 1, count: 200, maxFailures: 3 })
    expect(failed.map((one) => textOf('queue', one)).join('\n')).toBe('')
  })

  it('repeats the scenario of a seed exactly, whatever ran before it', async () => {
    const range = { component: 'queue', maxFailures: 1 }
    const all = await runSeeds({ ...range, from: 1_001, count: 12, threads: 1 })
    const some = await runSeeds({ ...range, from: 1_007, count: 6, threads: 2 })
    expect(some.hashes.size).toBe(6)
    for (const [seed, hash] of some.hashes) expect([seed, all.hashes.get(seed)]).toEqual([seed, hash])
  })
})
