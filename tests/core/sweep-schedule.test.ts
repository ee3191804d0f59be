// Tests when the sweeps of a component run, and when they are counted: each count of an idle component is a billed request.
import { describe, expect, it } from 'vitest'
import { every, isDue } from '#core/http/sweep-schedule'
import { worker } from '#core/http/worker'
import { registry } from '#core/metrics/registry'

const minute = (n: number) => n * 60_000
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined } as never
const app = { about: { name: 'core' }, fetch: async () => new Response() }

/** A Worker with a sweep of every minute and one of every ten minutes, which note their runs. */
function sweeper({ fails = false } = {}) {
  const runs = { minute: 0, tenMinutes: 0 }
  const Worker = worker<object>(
    app,
    async () => {
      runs.minute++
      if (fails) throw new Error('a bug')
    },
    every(10, async () => void runs.tenMinutes++),
  )
  return { runs, sweep: (at?: number) => new Worker(context, { METRICS: 'false' }).sweep(at) }
}

/** The counts that no meter has yet, of which this test takes all. */
function countsOf(outcome: string): number {
  const batch = registry.next()
  if (!batch) return 0
  registry.confirm(batch)
  const series = batch.series.find(({ family, labels }) => family.endsWith('sweeps_total') && labels.includes(outcome))
  return series?.values[0] ?? 0
}

it('is due at its minutes, and always without a time', () => {
  const due = Array.from({ length: 25 }, (_, n) => n).filter((n) => isDue(10, minute(n) + 30_000))
  expect(due).toEqual([0, 10, 20])
  expect([isDue(10, undefined), isDue(1, minute(7))]).toEqual([true, true])
})

describe('the sweeps of a component', () => {
  it('run at their minutes, and all of them on a local start', async () => {
    const { runs, sweep } = sweeper()
    for (let n = 1; n <= 30; n++) await sweep(minute(n))
    expect(runs).toEqual({ minute: 30, tenMinutes: 3 })
    for (let n = 0; n < 3; n++) await sweep()
    expect(runs).toEqual({ minute: 33, tenMinutes: 6 })
  })

  it('are counted every five minutes, and failed ones at once', async () => {
    countsOf('done')
    const { sweep } = sweeper()
    for (let n = 1; n <= 4; n++) {
      await sweep(minute(n))
      expect(registry.isBehind).toBe(false)
    }
    await sweep(minute(5))
    expect(countsOf('done')).toBe(5)
    const failing = sweeper({ fails: true })
    await failing.sweep(minute(6))
    expect(countsOf('failed')).toBe(1)
  })
})
