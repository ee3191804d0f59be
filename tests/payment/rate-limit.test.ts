import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '#payment/bindings'
import { payment } from '#payment/index'
import { useUp } from '../support/rate-limit.ts'
import { read } from './parsed-page.ts'

const bound = env as unknown as Env

const address = '198.51.100.62'
const order = new URLSearchParams({ account: 'ann', sum: '10.50', description: 'Home internet', currency: 'KZT' })

const open = (path: string) =>
  payment.fetch(
    new Request(`http://pay.example${path}?${order}`, { headers: { 'cf-connecting-ip': address } }),
    { ...bound, LOCAL: 'false', OPEN: 'true' },
    createExecutionContext(),
  )

it.each(['/pub/card', '/_payments_/pub/card'])('limits %s by address, with a page for the payer', async (path) => {
  // The minute may end in between, so both steps are repeated.
  await expect
    .poll(async () => {
      await useUp(bound.RATE_LIMIT, address)
      const response = await open(path)
      const { text } = read(await response.text())
      return { status: response.status, wait: response.headers.get('retry-after'), text }
    })
    .toEqual({ status: 429, wait: '60', text: expect.stringMatching(/not available right now.*rate_limit/s) })
})
