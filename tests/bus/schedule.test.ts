// Tests of the retry schedule for the delivery of async documents.
import { expect, it } from 'vitest'
import { retryDelayMs } from '#bus/retry-schedule'

const second = 1_000
const hour = 3_600 * second

it('retries after 10 seconds, 1, 5 and 15 minutes and 1 hour, then hourly', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 70].map((attempts) => retryDelayMs(attempts))
  expect(delays).toEqual([10 * second, 60 * second, 300 * second, 900 * second, hour, hour, hour, hour])
})

it('ends within 75 hours', () => {
  let past = 0
  let attempts = 1
  for (; retryDelayMs(attempts) !== undefined; attempts++) past += retryDelayMs(attempts)!
  expect(past).toBeLessThanOrEqual(75 * hour)
  expect(past + hour).toBeGreaterThan(75 * hour)
  expect(retryDelayMs(attempts + 1)).toBeUndefined()
})
