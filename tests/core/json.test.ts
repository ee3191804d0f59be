// Tests that parsing JSON and writing it again keeps the digits of all numbers.
import { assert, bigInt, nat, property } from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson, parseText } from '#core/http/json'
import { runs } from '../support/tier.ts'

it.each([
  '99999999999999.99',
  '123456789.123456789',
  '12345678901.12345678',
  '0.0000001',
  '-0.00000012',
  '1000000000000000000000',
])('writes %s unchanged', (number) => {
  const text = `{"amount":${number}}`
  expect(JSON.stringify(parseText(text))).toBe(text)
})

it('writes any decimal unchanged', () => {
  const bound = 10n ** 24n
  assert(
    property(bigInt({ min: -bound, max: bound }), nat(24), (digits, places) => {
      const sign = digits < 0n ? '-' : ''
      const padded = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
      const text = `[${sign}${padded.slice(0, padded.length - places)}${places ? `.${padded.slice(-places)}` : ''}]`
      expect(JSON.stringify(parseJson(text))).toBe(text)
    }),
    { numRuns: runs(5_000) },
  )
})
