// Scores the documents of a typeahead search: fewer typos first, then exact words before prefixes, then documents with fewer words.

/** Cost of a word of the query that matches only as a prefix of a word. An exact match costs 0. */
export const prefixCost = 1

/** Cost of each typo. One typo ranks a document below all documents that have only prefix matches. */
export const typoCost = 2

/**
 * Returns the score of a document in typeahead, at most 1: the lower the cost of its matches, the higher the score. Of equal costs,
 * a document with fewer words scores higher.
 */
export const typeaheadScore = (cost: number, wordCount: number) => 1 / (1 + cost + wordCount / (wordCount + 1))
