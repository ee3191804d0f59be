import { expect, it } from 'vitest'
import { useUp } from '../support/rate-limit.ts'
import { bound, mediaOn } from './support.ts'

const address = '198.51.100.61'
const headers = { 'cf-connecting-ip': address }

const { fetch } = mediaOn({ LOCAL: 'false', OPEN: 'true' })

const statusOf = async (path: string, method = 'GET') => (await fetch(path, { method, headers })).status

it.each([
  ['GET', '/image/none?w=10'],
  ['GET', '/video/none/preview'],
  ['POST', '/video/none/preview'],
])('limits %s %s by address', async (method, path) => {
  // The minute may end in between, so both steps are repeated.
  await expect
    .poll(async () => {
      await useUp(bound.RATE_LIMIT, address)
      return statusOf(path, method)
    })
    .toBe(429)
})

it('does not limit downloads of originals', async () => {
  await useUp(bound.RATE_LIMIT, address)
  expect(await statusOf('/file/none')).toBe(404)
})
