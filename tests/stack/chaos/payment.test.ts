// Runs a short chaos run of the payments: they keep their invariants while the stack is killed.
import { expect, it } from 'vitest'
import { run } from '../../../scripts/chaos/payment/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

// Takes half a minute, or two minutes more if a kill leaves a payment that only a sweep resumes.
it('payments keep their invariants while the stack is killed', async () => {
  const { results, figures } = await run({ size: 250, kills: 3, seed, log: console.log })
  const violated = results.filter(({ violations }) => violations.length > 0)
  expect(violated.map((result) => ({ seed, ...result }))).toEqual([])
  expect(figures.stored).toBe(250)
}, 600_000)
