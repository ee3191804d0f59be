// Tests the hash that selects the shard of a document.
import { expect, it } from 'vitest'
import { hashOf } from '#search/hash'

it('the hash of a code never changes, because it selects the shard of stored documents', () => {
  expect(['', 'a', 'a1', 'invoice-2026', 'Ärzte', '東京', '😀'].map(hashOf)).toEqual([
    2_872_998_923, 444_641_715, 1_622_948_052, 2_635_310_401, 470_324_113, 745_305_631, 1_787_143_206,
  ])
})

it.each([2, 3, 8, 16])('spreads numbered codes evenly over %i shards', (shards) => {
  const counts = new Array<number>(shards).fill(0)
  for (let i = 0; i < 16_000; i++) counts[hashOf(`product-${i}`) % shards]!++
  for (const count of counts) expect(Math.abs(count - 16_000 / shards)).toBeLessThan(4 * Math.sqrt(16_000 / shards))
})
