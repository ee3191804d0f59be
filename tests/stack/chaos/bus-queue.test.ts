// Runs short chaos runs of the queue and of the bus: they keep their invariants while their processes are killed.
import { expect, it } from 'vitest'
import { run as runBus } from '../../../scripts/chaos/bus/run.ts'
import type { ChaosReport } from '../../../scripts/chaos/invariant.ts'
import { run as runQueue } from '../../../scripts/chaos/queue/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The violated invariants of a run, with the seed that reproduces the run. */
const violated = ({ results }: ChaosReport) =>
  results.filter(({ violations }) => violations.length > 0).map((result) => ({ seed, ...result }))

it('the queue keeps its invariants while the stack is killed', async () => {
  const report = await runQueue({ size: 2_000, kills: 4, seed, log: console.log })
  expect(violated(report)).toEqual([])
  // Some kills must have interrupted a request, since otherwise the run would prove nothing.
  expect(report.figures['requests open at kills']).toBeGreaterThan(0)
}, 600_000)

// Takes half a minute, or two minutes more if a kill leaves a document that only a sweep resumes.
it('the bus keeps its invariants while the bus, the queue and the handler are killed', async () => {
  const report = await runBus({ size: 300, kills: 3, seed, log: console.log })
  expect(violated(report)).toEqual([])
}, 600_000)
