// Runs a short chaos run of a delivery: it keeps its invariants while its processes are killed.
import { expect, it } from 'vitest'
import { run } from '../../../scripts/chaos/delivery/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

// Takes a minute: the claim of a batch expires half a minute after a kill, and a deferred email waits for ten seconds.
it('a delivery keeps its invariants while the delivery, the queue and the channels are killed', async () => {
  const { results } = await run({ size: 400, kills: 3, seed, log: console.log })
  const violated = results.filter(({ violations }) => violations.length > 0)
  expect(violated.map((result) => ({ seed, ...result }))).toEqual([])
}, 600_000)
