import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '#feed/fold'

it('does not depend on case, nor on how accents are written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fold(text.toUpperCase())).toBe(fold(text))
      expect(fold(fold(text))).toBe(fold(text))
    }),
  )
  expect(fold('e\u0301')).toBe(fold('É'))
})
