// Tests of the conversion of amounts to exact integers in hundredths.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minorUnits } from '#payment/money'

it.each([
  ['10', 1_000],
  ['0.1', 10],
  ['0.10', 10],
  ['10.10', 1_010],
  ['0.01', 1],
  ['007.5', 750],
  ['1.15', 115],
  ['999999999999.99', 99_999_999_999_999],
])('%s is %i hundredths', (text, minor) => {
  expect(minorUnits(text)).toBe(minor)
})

it.each([
  ...['', '0', '0.0', '0.00', '-1', '+1', '-0.01', '1e3', '1E3', '1,5', '1 000', '1_000', ' 1', '1 ', '1\n'],
  ...['NaN', 'Infinity', '.5', '5.', '1.005', '0.001', '1000000000000', '1.2.3', '0x10', '١٢', '１'],
])('%j is not an amount', (text) => {
  expect(minorUnits(text)).toBeUndefined()
})

it('minorUnits converts every amount, with or without trailing zeros', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999_999_999 }), (minor) => {
      const [whole, decimals] = [Math.floor(minor / 100), String(minor % 100).padStart(2, '0')]
      expect(minorUnits(`${whole}.${decimals}`)).toBe(minor)
      if (decimals.endsWith('0')) expect(minorUnits(`${whole}.${decimals[0]}`)).toBe(minor)
      if (decimals === '00') expect(minorUnits(`${whole}`)).toBe(minor)
    }),
  )
})

it('minorUnits returns undefined for any other text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String)), (text) => {
      fc.pre(!/^\d{1,12}(\.\d{1,2})?$/.test(text))
      expect(minorUnits(text)).toBeUndefined()
    }),
  )
})
