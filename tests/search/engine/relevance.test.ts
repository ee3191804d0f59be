import { expect, it } from 'vitest'
import { Relevance } from '#search/engine/relevance'

it.each([-3, -1, 0, 1, 9, 10, 11, 50])('a score is a positive number where %d of 10 documents have a word', (count) => {
  const relevance = new Relevance({
    documents: 10,
    length: 40,
    frequencies: { word: count },
    expansions: { words: count },
  })
  for (const weight of [relevance.weigh('word'), relevance.expansionWeight]) {
    expect(relevance.score(weight, 0, 1, 4)).toBeGreaterThan(0)
    expect(relevance.score(weight, 1, 500_000, 500_003)).toBeLessThan(100)
  }
})
