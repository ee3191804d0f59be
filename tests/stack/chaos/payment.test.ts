import { expect, it } from 'vitest'
import { run } from '../../../scripts/chaos/payment/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

// Half a minute; what a kill leaves behind at the very end waits for the clock, which takes it up after two minutes at most.
it('payments keep their laws while what takes them dies', async () => {
  const { verdicts, figures } = await run({ size: 250, kills: 3, seed, log: console.log })
  const broken = verdicts.filter(({ breaches }) => breaches.length > 0)
  expect(broken.map((verdict) => ({ seed, ...verdict }))).toEqual([])
  expect(figures.stored).toBe(250)
}, 600_000)
