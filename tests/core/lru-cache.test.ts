import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LruCache } from '#core/lru-cache'

it('evicts the least recently used entry', () => {
  const recent = new LruCache<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3])
})

it('returns the last value of a key', () => {
  const recent = new LruCache<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  recent.set('c', 4)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, undefined, 4])
})

it('deletes all entries whose keys have a prefix', () => {
  const recent = new LruCache<number>(2)
  recent.set('a/1', 1)
  recent.set('b/1', 2)
  recent.deletePrefix('a/')
  recent.set('c/1', 3)
  expect([recent.get('a/1'), recent.get('b/1'), recent.get('c/1')]).toEqual([undefined, 2, 3])
})

it('keeps the most recently used entries that fit by their sizes', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    size: fc.option(fc.integer({ min: 1, max: 12 })),
  })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const recent = new LruCache<number>(10)
      let model: { key: string; size: number; value: number }[] = []
      for (const [value, { key, size }] of steps.entries()) {
        const known = model.find((one) => one.key === key)
        if (size === null) expect(recent.get(key)).toBe(known?.value)
        else recent.set(key, value, size)
        const next = size === null ? known : { key, size, value }
        model = [...model.filter((one) => one.key !== key), ...(next && next.size <= 10 ? [next] : [])]
        while (model.reduce((sum, one) => sum + one.size, 0) > 10) model.shift()
      }
      for (const key of 'abcde') expect(recent.get(key)).toBe(model.find((one) => one.key === key)?.value)
    }),
  )
})
