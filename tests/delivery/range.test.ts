// Tests the arithmetic that divides a delivery's range into pieces.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstUnfetched } from '#delivery/ledger/fraction'
import { beginPage } from '#delivery/ledger/pages'
import { isPieceOf, itemsIn, pieceAt, piecesIn } from '#delivery/range'
import { begin, books, fill, headOf, onTables, recipient } from './books.ts'

const range = fc
  .record({
    min: fc.integer({ min: -1e9, max: 1e9 }),
    items: fc.integer({ min: 1, max: 500 }),
    gap: fc.integer({ min: 1, max: 600 }),
  })
  .map(({ min, items, gap }) => ({ min, max: min + items - 1, gap }))

it('the pieces of a range cover each item once', () => {
  fc.assert(
    fc.property(range, (range) => {
      const pieces = Array.from({ length: piecesIn(range) }, (_, i) => pieceAt(range.min + i * range.gap, range))
      expect(pieces.reduce((sum, piece) => sum + itemsIn(piece), 0)).toBe(itemsIn(range))
      expect([pieces[0]!.min, pieces.at(-1)!.max]).toEqual([range.min, range.max])
      for (const piece of pieces) expect(isPieceOf(range, { ...piece, gap: range.gap })).toBe(true)
    }),
  )
})

it('isPieceOf rejects a range that is not a piece', () => {
  const other = { min: 1, max: 25, gap: 10 }
  for (const piece of [
    { min: 1, max: 10, gap: 9 },
    { min: 2, max: 11, gap: 10 },
    { min: 21, max: 30, gap: 10 },
    { min: 31, max: 40, gap: 10 },
    { min: -9, max: 0, gap: 10 },
    { min: 11, max: 19, gap: 10 },
  ])
    expect(isPieceOf(other, piece)).toBe(false)
})

it('the rest of a range begins with the first unfetched piece', () =>
  onTables((sql) => {
    books(sql)
    const first = () => firstUnfetched(sql, headOf(sql))
    expect(first()).toBe(1)
    fill(sql, 21, [recipient(0, 'a')])
    expect(first()).toBe(1)
    fill(sql, 1, [])
    expect(first()).toBe(11)
    begin(sql, 11)
    expect(first()).toBe(11)
    books(sql)
    for (let min = 1; min <= 91; min += 10) fill(sql, min, [recipient(0, `b${min}`)])
    expect(first()).toBe(101)
    expect(beginPage(sql, { min: 101, max: 100, gap: 10 }, 1, 0)).toEqual({ state: 'over' })
  }))
