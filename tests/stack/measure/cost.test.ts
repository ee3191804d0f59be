// Tests the cost measurement (`npm run cost`): the counted rows and calls of some operations are right.
import { beforeAll, describe, expect, it } from 'vitest'
import { measure } from '../../../scripts/cost/measure.ts'
import type { CostUsage } from '../../../scripts/cost/usage.ts'

const costs = new Map<string, CostUsage>()

beforeAll(async () => {
  for await (const { component, operation, usage } of measure(['badge', 'catcher', 'media']))
    costs.set(`${component} ${operation}`, usage)
  // Long, since the measurement waits until the stack is quiet after each operation.
}, 900_000)

/** The measured usage of an operation, rounded to whole numbers. */
const counted = (name: string, ...keys: (keyof CostUsage)[]) => {
  const usage = costs.get(name)!
  return Object.fromEntries(keys.map((key) => [key, Math.round(Number(usage[key]))]))
}

describe('badges', () => {
  it('write a row, three indexes, the last id, and a counter for each of two segments and for all', () => {
    expect(counted('badge POST /badge, of two segments', 'd1_written', 'd1_calls')).toEqual({
      d1_written: 1 + 3 + 1 + 3,
      d1_calls: 1,
    })
  })

  it('read a row and its place in the index for each counter', () => {
    expect(counted('badge GET /counters, of three names', 'd1_read', 'd1_written')).toEqual({
      d1_read: 3 * 2,
      d1_written: 0,
    })
  })

  it('use no objects and no files', () => {
    const used = [...costs].filter(([name]) => name.startsWith('badge')).map(([, usage]) => usage)
    expect(used.map(({ object_requests, r2_a, r2_b }) => object_requests + r2_a + r2_b)).toEqual([0, 0, 0, 0])
  })
})

it('a captured request costs one call to the durable object of its space', () => {
  const keys = ['object_requests', 'd1_calls', 'requests', 'busiest'] as const
  expect(counted('catcher a request that is caught', ...keys)).toEqual({
    ...{ object_requests: 1, d1_calls: 0, requests: 1, busiest: 1 },
  })
})

describe('log events', () => {
  it.each([
    ['badge GET /counters, of three names', 'the gateway, the component, and its line', 3],
    ['catcher a request that is caught', 'also the object of the space, and the print of the request', 5],
    ['media GET /image, one that was made', 'the gateway, the component, and its line', 3],
    ['media GET /image, a thumbnail that is new', 'also the object of the image', 4],
  ])('of %s are those of %s', (name, _, log_events) => {
    expect(counted(name, 'log_events')).toEqual({ log_events })
  })
})

describe('media', () => {
  it('reads a row and an object to send a file, and the object twice for a range: how large it is, and the bytes', () => {
    const keys = ['r2_a', 'r2_b', 'd1_calls', 'd1_read', 'object_requests'] as const
    const whole = { r2_a: 0, r2_b: 1, d1_calls: 1, d1_read: 1, object_requests: 0 }
    expect(counted('media GET /file', ...keys)).toEqual(whole)
    expect(counted('media GET /file, a range of 1 kB', ...keys)).toEqual({ ...whole, r2_b: 2 })
  })

  it('needs three requests for an upload in two parts', () => {
    expect(counted('media tus, 100 kB in two parts', 'requests')).toEqual({ requests: 3 })
  })

  it('sends exactly the bytes of a range', () => {
    expect(counted('media GET /file, a range of 1 kB', 'r2_bytes_out')).toEqual({ r2_bytes_out: 1_000 })
    expect(counted('media GET /file', 'r2_bytes_out')).toEqual({ r2_bytes_out: 100_000 })
  })

  it('renders a thumbnail once, in the object of its image', () => {
    expect(counted('media GET /image, a thumbnail that is new', 'object_requests')).toEqual({ object_requests: 1 })
    expect(counted('media GET /image, one that was made', 'object_requests', 'r2_a')).toEqual({
      ...{ object_requests: 0, r2_a: 0 },
    })
  })

  it('counts every stored file once', () => {
    expect(counted('media POST /file, 100 kB', 'r2_bytes_in')).toEqual({ r2_bytes_in: 100_000 })
  })
})
