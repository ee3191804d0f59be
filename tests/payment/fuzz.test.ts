// Sends random parameters and random notifications to the payment component: none may cause an internal error.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payment } from '#payment/index'
import { fuzz } from '../support/fuzz.ts'
import { runs } from '../support/tier.ts'
import { notification, payments, target } from './support.ts'

describe.each(payments({ PAYMENT_WEBHOOK_URL: target('/echo') }))('payments on $dialect', ({ fetch }) => {
  const own = payment.endpoints.filter(({ path }) => path.startsWith('/transaction'))
  fuzz(
    fetch,
    { endpoints: own },
    { id: [1, 2], code: ['1', '2'], account: ['ann'], status: [0, 1], limit: [1, 1000] },
    30,
  )

  const names = Object.keys(notification())
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.constantFrom('1', '0.1', 'KZT', 'Completed'))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
  const fields = fc.dictionary(fc.constantFrom(...names, 'x', '__proto__'), value)
  const body = fc.oneof(
    fields.map((value) => JSON.stringify({ ...notification(), ...value })),
    fields.map((value) =>
      new URLSearchParams(Object.entries(value).map(([name, value]) => [name, textOf(value)])).toString(),
    ),
    fc.string({ unit: 'binary' }),
    fc.uint8Array(),
  )

  it.each(['/check', '/pay'])('%s replies with a code to any request', async (path) => {
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (sent, isQuery) => {
        const query = isQuery && typeof sent === 'string' ? `?${sent.toWellFormed().replaceAll('#', '')}` : ''
        const init = query ? {} : { method: 'POST', body: sent as string }
        const response = await fetch(`http://component${path}${query}`, init)
        expect(response.status).toBe(200)
        expect([0, 10, 11, 12, 13]).toContain(((await response.json()) as { code: number }).code)
      }),
      { numRuns: runs(60) },
    )
  })
})
