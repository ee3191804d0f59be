import { expect, it } from 'vitest'
import { run } from '../../../scripts/chaos/delivery/run.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

// A minute; claims that a kill has broken off expire half a minute after it, and a mail that was refused for now waits for ten seconds.
it('a delivery keeps its laws while it, the queue and its channels die', async () => {
  const { verdicts } = await run({ size: 400, kills: 3, seed, log: console.log })
  const broken = verdicts.filter(({ breaches }) => breaches.length > 0)
  expect(broken.map((verdict) => ({ seed, ...verdict }))).toEqual([])
}, 600_000)
