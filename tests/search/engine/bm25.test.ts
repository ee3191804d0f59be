// Tests the BM25 scores.
import { expect, it } from 'vitest'
import { Bm25 } from '#search/engine/bm25'

it.each([-3, -1, 0, 1, 9, 10, 11, 50])('a score is positive if %d of 10 documents have a word', (count) => {
  const relevance = new Bm25({
    documentCount: 10,
    totalLength: 40,
    documentFrequencies: { word: count },
    expansions: { words: count },
  })
  for (const weight of [relevance.termWeight('word'), relevance.expansionWeight]) {
    expect(relevance.score(weight, 0, 1, 4)).toBeGreaterThan(0)
    expect(relevance.score(weight, 1, 500_000, 500_003)).toBeLessThan(100)
  }
})
