// Tests the measures of ranking quality (average precision and nDCG).
import { expect, it } from 'vitest'
import { averagePrecision, discountedGain, qualityOf } from '../../../scripts/quality/measures.ts'

const judged = (ranked: string, relevant: string) => ({ ranked: [...ranked], relevant: new Set(relevant) })

it('averages precision over all relevant documents, including those not found', () => {
  expect(averagePrecision(judged('axb', 'ab'))).toBeCloseTo((1 + 2 / 3) / 2)
  expect(averagePrecision(judged('xaxb', 'abcd'))).toBeCloseTo((1 / 2 + 2 / 4) / 4)
  expect(averagePrecision(judged('abc', 'abc'))).toBe(1)
  expect(averagePrecision(judged('', 'a'))).toBe(0)
})

it('discounts a gain by the logarithm of its rank', () => {
  expect(discountedGain(judged('xax', 'a'), 10)).toBeCloseTo(1 / Math.log2(3))
  expect(discountedGain(judged('axb', 'ab'), 10)).toBeCloseTo((1 + 1 / 2) / (1 + 1 / Math.log2(3)))
  expect(discountedGain(judged('xyz', 'a'), 10)).toBe(0)
})

it('ignores results beyond its depth', () => {
  expect(discountedGain(judged('xa', 'a'), 1)).toBe(0)
  expect(discountedGain(judged('ab', 'abc'), 2)).toBe(1)
})

it('averages over queries', () => {
  const quality = qualityOf([judged('a', 'a'), judged('xa', 'a')])
  expect(quality.map).toBeCloseTo(0.75)
  expect(quality.ndcg10).toBeCloseTo((1 + 1 / Math.log2(3)) / 2)
})
