/** As many segments of about a size become one. */
const fanOut = 4

/** Bytes up to which a segment is of the lowest tier; each further tier is four times as large. */
const lowest = 1 << 20

/** Bytes from which on a segment is left as it is: merging it would keep its object busy for a second or more. */
const largest = 16 << 20

export interface Mergeable {
  size: number
  dead: { length: number }
  deaths: number
}

/**
 * Which segments, neighbours, are merged next: the last ones up to a tier, when four are of it; else one of which
 * more than half is dead. `[from, to)`, or nothing.
 */
export function nextMerge(segments: readonly Mergeable[]): [number, number] | undefined {
  for (let limit = lowest; limit <= largest; limit *= fanOut) {
    const from = 1 + segments.findLastIndex(({ size }) => size >= limit)
    const inTier = segments.slice(from).filter(({ size }) => limit === lowest || size >= limit / fanOut)
    if (inTier.length >= fanOut) return [from, segments.length]
  }
  const rotten = segments.findIndex(({ dead, deaths }) => deaths > dead.length / 2)
  return rotten < 0 ? undefined : [rotten, rotten + 1]
}
