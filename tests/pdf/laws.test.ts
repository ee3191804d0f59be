// Property-based tests of the parsers of page ranges, lengths and file names.
import { parse } from 'content-disposition'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Length } from '#pdf/contract'
import { disposition, filenameOf } from '#pdf/filename'
import { pageRangesOf } from '#pdf/page-ranges'

const Pages = z.string().transform(pageRangesOf)
const Filename = z.string().transform(filenameOf)

const page = fc.integer({ min: 1, max: 999_999 })
const range = fc.tuple(page, page).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

it('a page range keeps its meaning in the notation of the container', () => {
  const pagesOf = (text: string) => text.split(',').map((part) => part.split('-').map(Number))
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 100 }), (ranges) => {
      const text = Pages.parse(ranges.map(([from, to]) => ` ${from} - ${to}`).join(','))!
      expect(text).toMatch(/^[\d,-]+$/)
      expect(pagesOf(text).map(([from, to = from]) => [from, to])).toEqual(ranges)
      expect(Pages.parse(text)).toBe(text)
    }),
  )
})

it('a length keeps its number and unit, and is normalized once', () => {
  const unit = fc.constantFrom('mm', 'cm', 'in', 'pt', 'pc', 'px', 'MM', 'In')
  const number = fc.integer({ min: 0, max: 99_999_9999 }).map((n) => n / 10_000)
  fc.assert(
    fc.property(number, unit, (number, unit) => {
      const length = Length.parse(`${number.toFixed(4)}${unit}`)
      expect(length).toBe(`${number}${unit.toLowerCase()}`)
      expect(Length.parse(length)).toBe(length)
    }),
  )
})

it('a file name is unchanged except for its ending', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((text) => Filename.safeParse(text).success)
  fc.assert(
    fc.property(name, (given) => {
      const header = disposition(Filename.parse(given))
      const { type, parameters } = parse(header)
      expect(type).toBe('inline')
      expect(parameters.filename!.replace(/\.pdf$/i, '.pdf')).toBe(
        `${(given.trim() || 'document').replace(/\.pdf$/i, '')}.pdf`,
      )
      expect(header).toMatch(/^[\x20-\x7e]*$/)
    }),
  )
})
