// Tests the encoding of numbers and texts in index files.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteReader, ByteWriter, toBytes, toText } from '#search/engine/bytes'

it('reads the numbers that were written, of any size and sign', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), fc.array(fc.integer()), (numbers, signed) => {
      const writer = new ByteWriter(1)
      for (const number of numbers) writer.number(number)
      for (const number of signed) writer.signed(number)
      const reader = new ByteReader(writer.copy())
      expect(numbers.map(() => reader.number())).toEqual(numbers)
      expect(signed.map(() => reader.signed() + 0)).toEqual(signed.map((number) => number + 0))
      expect(reader.at).toBe(writer.length)
    }),
  )
})

it('skips the given number of numbers', () => {
  const writer = new ByteWriter()
  for (const number of [1, 300, 70_000, 2 ** 40, 7]) writer.number(number)
  const reader = new ByteReader(writer.view())
  reader.skip(4)
  expect(reader.number()).toBe(7)
})

it('decodes any text that it encodes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const bytes = toBytes(`<${text}>`)
      expect(toText(bytes, 1, bytes.length - 1)).toBe(text)
    }),
  )
})
