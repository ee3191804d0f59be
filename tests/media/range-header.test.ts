// Tests the parser of the HTTP header Range.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRangeHeader } from '#media/range-header'

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { offset: 0, length: 1 }],
    ['bytes=0-9', { offset: 0, length: 10 }],
    ['bytes=3-', { offset: 3, length: 7 }],
    ['bytes=-4', { offset: 6, length: 4 }],
    ['bytes=-40', { offset: 0, length: 10 }],
    ['bytes=9-100', { offset: 9, length: 1 }],
    ['Bytes= 1-2 ', { offset: 1, length: 2 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-11', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s selects %o of ten bytes', (header, range) => {
    expect(parseRangeHeader(header, 10)).toEqual(range)
  })

  it('is unsatisfiable for an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
      expect(parseRangeHeader(header, 0)).toBe('unsatisfiable')
  })

  it('never selects bytes outside of the file', () => {
    const header = fc.oneof(fc.string(), fc.tuple(fc.string(), fc.nat(), fc.nat()).map(([text, a, b]) => `bytes=${a}-${b}${text}`), fc.nat().map((n) => `bytes=-${n}`)) // biome-ignore format: one line
    fc.assert(
      fc.property(header, fc.nat(1000), (text, size) => {
        const range = parseRangeHeader(text, size)
        if (typeof range !== 'object') return
        expect(range.offset).toBeGreaterThanOrEqual(0)
        expect(range.length).toBeGreaterThan(0)
        expect(range.offset + range.length).toBeLessThanOrEqual(size)
      }),
    )
  })
})
