/** Maximum number of an index's own stop words, and of the characters of each. */
export const maxStopwords = 1_000
export const maxStopwordLength = 64
