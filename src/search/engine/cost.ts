/** What a word costs that only begins as asked for. */
export const begins = 1

/** What each typing error costs: more than all else together. */
export const error = 2

/** From 1 down: what costs more comes later, of the same cost what has more words. */
export const score = (cost: number, length: number) => 1 / (1 + cost + length / (length + 1))
