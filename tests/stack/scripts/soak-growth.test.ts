// Tests the measurement of memory growth in soak tests.
import { expect, it } from 'vitest'
import { faultsOf } from '../../../scripts/soak/faults.ts'
import type { Sample } from '../../../scripts/soak/memory.ts'

const megabyte = 1_024 * 1_024
const minute = 60_000

/** Samples of ten minutes of a process. Its memory in megabytes is a function of the time in milliseconds. */
const samples = (megabytes: (at: number) => number, process = 'workerd'): Sample[] =>
  Array.from({ length: 240 }, (_, n) => {
    const at = n * 2_500
    const bytes = megabytes(at) * megabyte
    return { at, held: { [process]: { rss: bytes, own: bytes } } }
  })

const growing = (samples: Sample[]) =>
  faultsOf({
    operations: ['one'],
    calls: [{ operation: 0, at: 0, took: 1 }],
    failedChecks: [],
    logged: [],
    samples,
  }).map((fault) => fault.split(' by ')[0])

/** Memory of garbage in megabytes: grows for twenty seconds, and is then collected. */
const sawtooth = (at: number) => ((at % 20_000) / 20_000) * 80

it('does not count garbage as growth', () => {
  expect(growing(samples((at) => 500 + sawtooth(at)))).toEqual([])
})

it('does not count warm-up of caches as growth', () => {
  expect(growing(samples((at) => 900 - 500 * Math.exp(-at / minute) + sawtooth(at)))).toEqual([])
})

it('finds growth beneath garbage', () => {
  expect(growing(samples((at) => 500 + (at / minute) * 15 + sawtooth(at)))).toEqual(['workerd grows'])
})

it('ignores short-lived children of containers', () => {
  expect(growing(samples((at) => (at / minute) * 100, '  started by chromium'))).toEqual([])
})

it('does not judge a run of two minutes', () => {
  expect(growing(samples((at) => (at / minute) * 100).slice(0, 48))).toEqual([])
})
