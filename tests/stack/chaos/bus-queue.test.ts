import { expect, it } from 'vitest'
import { run as runBus } from '../../../scripts/chaos/bus/run.ts'
import type { ChaosReport } from '../../../scripts/chaos/invariant.ts'
import { run as runQueue } from '../../../scripts/chaos/queue/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The violated invariants, with the seed that reproduces them. */
const violated = ({ results }: ChaosReport) =>
  results.filter(({ violations }) => violations.length > 0).map((result) => ({ seed, ...result }))

it('the queue keeps its invariants while the stack is killed', async () => {
  const report = await runQueue({ size: 2_000, kills: 4, seed, log: console.log })
  expect(violated(report)).toEqual([])
  // Kills without an open request would prove nothing.
  expect(report.figures['requests open at kills']).toBeGreaterThan(0)
}, 600_000)

// Takes half a minute, or two minutes more if a kill leaves a document to the sweep.
it('the bus keeps its invariants while the bus, the queue and the handler are killed', async () => {
  const report = await runBus({ size: 300, kills: 3, seed, log: console.log })
  expect(violated(report)).toEqual([])
}, 600_000)
