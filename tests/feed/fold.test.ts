// Tests the case folding for search, with any script.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '#feed/fold'

/** Spellings of a text that a reader takes for the same text. */
const spellings = (text: string) => [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), fold(text)]

it('ignores case and the encoding of accents', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(new Set(spellings(text).map(fold))).toEqual(new Set([fold(text)]))
    }),
  )
  expect(fold('e\u0301')).toBe(fold('É'))
})

it('gives every spelling of a character the same result', () => {
  const dependent = characters().filter((one) => spellings(one).some((spelling) => fold(spelling) !== fold(one)))
  expect(dependent).toEqual([])
})

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

const characters = () =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => !isSurrogate(code))
    .map((code) => String.fromCodePoint(code))
