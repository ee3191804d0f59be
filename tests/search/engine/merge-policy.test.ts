// Tests which segments are merged.
import { describe, expect, it } from 'vitest'
import { nextMerge } from '#search/engine/merge-policy'

const megabyte = 1 << 20

const segment = (size: number, deletedCount = 0) => ({ size: size * megabyte, deleted: { length: 100 }, deletedCount })

describe('segments are merged', () => {
  it('when there are enough of a tier, with the smaller ones after them', () => {
    const small = Array.from({ length: 7 }, () => 0.3)
    expect(nextMerge([15, ...small].map((size) => segment(size)))).toBeUndefined()
    expect(nextMerge([15, ...small, 0.9].map((size) => segment(size)))).toEqual([1, 9])
    expect(nextMerge([40, 3, 2, 2, 0.1].map((size) => segment(size)))).toBeUndefined()
    expect(nextMerge([40, 3, 2, 2, 15, 0.1].map((size) => segment(size)))).toEqual([1, 6])
  })

  it('when more than half of the documents of one are deleted', () => {
    expect(nextMerge([segment(40, 50), segment(3)])).toBeUndefined()
    expect(nextMerge([segment(3), segment(40, 51), segment(3)])).toEqual([1, 2])
  })

  it('never once they are larger than the last tier', () => {
    expect(nextMerge(Array.from({ length: 50 }, () => segment(16)))).toBeUndefined()
  })

  it('so that there are few of those that are not of the largest tier', () => {
    let sizes: number[] = []
    for (let i = 0; i < 500; i++) {
      sizes.push(0.6)
      for (;;) {
        const range = nextMerge(sizes.map((size) => segment(size)))
        if (!range) break
        sizes = [
          ...sizes.slice(0, range[0]),
          sizes.slice(...range).reduce((sum, size) => sum + size),
          ...sizes.slice(range[1]),
        ]
      }
      expect(sizes.filter((size) => size < 16).length).toBeLessThan(11)
    }
  })
})
