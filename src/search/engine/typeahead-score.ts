// Scores the documents of a typeahead search: fewer typos first, then exact words before prefixes, then fewer words.

/** Cost of a word that matches only as a prefix. */
export const prefixCost = 1

/** Cost of each typo: one typo ranks a document below all that have only prefix matches. */
export const typoCost = 2

/** Score of a document in typeahead, from 1 down: the lower its cost the higher; of equal costs, fewer words score higher. */
export const typeaheadScore = (cost: number, wordCount: number) => 1 / (1 + cost + wordCount / (wordCount + 1))
