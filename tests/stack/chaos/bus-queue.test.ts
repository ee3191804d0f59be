import { expect, it } from 'vitest'
import { run as runBus } from '../../../scripts/chaos/bus/run.ts'
import type { ChaosReport } from '../../../scripts/chaos/law.ts'
import { run as runQueue } from '../../../scripts/chaos/queue/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** What was broken, with the seed that shows it again. */
const broken = ({ verdicts }: ChaosReport) =>
  verdicts.filter(({ breaches }) => breaches.length > 0).map((verdict) => ({ seed, ...verdict }))

it('the queue keeps its laws while it is killed', async () => {
  const report = await runQueue({ size: 2_000, kills: 4, seed, log: console.log })
  expect(broken(report)).toEqual([])
  // Else the kills have shown nothing.
  expect(report.figures['requests open at kills']).toBeGreaterThan(0)
}, 600_000)

// Half a minute; a kill between two certain steps leaves a document to the clock, which takes it up after two more.
it('the bus keeps its laws while it, the queue and the handler die', async () => {
  const report = await runBus({ size: 300, kills: 3, seed, log: console.log })
  expect(broken(report)).toEqual([])
}, 600_000)
