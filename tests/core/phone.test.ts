// Tests the parsing and masking of phone numbers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digitsOf, masked } from '#core/messages/phone'

describe('the digits of a phone', () => {
  it.each([
    ['77011234567', '77011234567'],
    ['+7 (701) 123-45-67', '77011234567'],
    ['7.701.123.45.67', '77011234567'],
    ['\u00a07701\u20091234567', '77011234567'],
    ['1234567', '1234567'],
    ['123456789012345', '123456789012345'],
  ])('of %j are %s', (text, digits) => {
    expect(digitsOf(text)).toBe(digits)
  })

  it.each([
    '',
    '+',
    '123456',
    '1234567890123456',
    '7701123456a',
    '7701\t1234567',
    '7701\n1234567',
    '٧٧٠١١٢٣٤٥٦٧',
    '7701,1234567',
    '7e10',
    '１２３４５６７８',
  ])('are none in %j', (text) => {
    expect(digitsOf(text)).toBeUndefined()
  })

  const digit = fc.constantFrom(...'0123456789')
  const phone = fc.string({ unit: digit, minLength: 7, maxLength: 15 })

  it('are the same with any allowed separators', () => {
    const between = fc.string({ unit: fc.constantFrom(...' +().-'), maxLength: 3 })
    fc.assert(
      fc.property(phone, fc.array(between, { minLength: 15, maxLength: 15 }), (digits, gaps) => {
        expect(digitsOf([...digits].map((digit, n) => gaps[n] + digit).join(''))).toBe(digits)
        expect(digitsOf(digits)).toBe(digits)
      }),
    )
  })

  it('are undefined for any other character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(digitsOf(text) ?? '1234567').toMatch(/^\d{7,15}$/)
      }),
    )
  })

  it('are masked for logs except the last three', () => {
    fc.assert(
      fc.property(phone, (digits) => {
        expect(masked(digits)).toMatch(/^\*{4,12}\d{3}$/)
        expect(digits.endsWith(masked(digits).slice(-3))).toBe(true)
        expect(masked(digits)).toHaveLength(digits.length)
      }),
    )
  })
})
