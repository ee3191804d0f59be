// Tests of the currency codes and the format of amounts on the card page.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoney, hasUnitsFor, isCurrency } from '#payment/page/currency'

describe('a sum of money', () => {
  it.each([
    ['en', '10500.50', 'KZT', '₸10,500.50'],
    ['ru', '10500.50', 'KZT', '10 500,50 ₸'],
    ['kk', '10500.50', 'KZT', '10 500,50 ₸'],
    ['en', '10500.00', 'RUB', '₽10,500'],
    ['ru', '0.1', 'RUB', '0,10 ₽'],
    ['en', '5', 'USD', '$5'],
    ['en', '5', 'CAD', 'CA$5'],
    ['en', '1.25', 'KWD', 'KWD 1.250'],
    ['en', '1000', 'JPY', '¥1,000'],
    ['en', '999999999999.99', 'EUR', '€999,999,999,999.99'],
  ])('is formatted in %s: %s %s as %s', (language, sum, currency, written) => {
    expect(formatMoney(language, sum, currency).replaceAll('\u00a0', ' ')).toBe(written)
  })

  it('is exact in the formatted text, to the last digit', () => {
    const sums = fc.tuple(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 99 }))
    const property = fc.property(sums, fc.constantFrom('en', 'ru', 'kk'), ([whole, cents], language) => {
      const sum = `${whole}.${String(cents).padStart(2, '0')}`
      const written = formatMoney(language, sum, 'KZT').replaceAll(/[^\d.,]/g, '')
      const plain = language === 'en' ? written.replaceAll(',', '') : written.replace(',', '.')
      expect(plain).toBe(cents === 0 ? String(whole) : sum)
    })
    fc.assert(property)
  })
})

it.each([
  ['JPY', '10', true],
  ['JPY', '10.00', true],
  ['JPY', '10.50', false],
  ['JPY', '10.05', false],
  ['KZT', '10.05', true],
  ['KWD', '10.05', true],
])('%s has enough decimals for %s: %s', (currency, sum, has) => {
  expect(hasUnitsFor(currency, sum)).toBe(has)
})

it('knows exactly the codes of ISO 4217', () => {
  for (const code of ['KZT', 'RUB', 'USD', 'EUR', 'ZWG']) expect(isCurrency(code)).toBe(true)
  for (const code of ['XXX', 'XTS', 'XAU', 'DEM', 'kzt', '', 'KZ', 'constructor']) expect(isCurrency(code)).toBe(false)
})
