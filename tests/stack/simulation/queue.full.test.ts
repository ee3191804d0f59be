// The deterministic simulation of the queue at full size, and defects that it must find.
import { describe, expect, it } from 'vitest'
import { defects } from '../../../scripts/simulate/queue/defects.ts'
import { runSeeds, textOf } from '../../../scripts/simulate/seeds.ts'

describe('the simulation of the queue', () => {
  it('violates no invariant in 10,000 scenarios', async () => {
    const { failed } = await runSeeds({ component: 'queue', from: 1, count: 10_000, maxFailures: 3 })
    expect(failed.map((one) => textOf('queue', one)).join('\n')).toBe('')
  })

  it.each(defects)('finds the defect: $name', async (defect) => {
    const { failed } = await runSeeds({ component: 'queue', from: 1, count: 10_000, maxFailures: 1, defect })
    expect(failed.length).toBeGreaterThan(0)
  })
})
