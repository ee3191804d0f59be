import { expect, test } from 'vitest'
import { limitPeriodSeconds } from '#core/http/address-limit'
import { findComponents } from '../../scripts/deploy/components.ts'

interface Limit {
  name: string
  namespace_id: string
  simple: { limit: number; period: number }
}

const limits = findComponents('.').flatMap(({ name, config }) =>
  ((config.ratelimits ?? []) as Limit[]).map((limit) => ({ worker: name, ...limit })),
)

test('limits captures, thumbnails and the card page by address', () => {
  expect(Object.fromEntries(limits.map(({ worker, simple }) => [worker, simple.limit]))).toEqual({
    ...{ catcher: 600, media: 600, payment: 60 },
  })
})

test('counts each limit for itself, in the period of Retry-After', () => {
  expect(new Set(limits.map(({ namespace_id }) => namespace_id)).size).toBe(limits.length)
  expect(new Set(limits.map(({ name, simple }) => `${name} ${simple.period}`))).toEqual(
    new Set([`RATE_LIMIT ${limitPeriodSeconds}`]),
  )
})
