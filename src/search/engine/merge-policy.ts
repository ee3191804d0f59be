/**
 * Tiers of segments: as many as `count`, all of less than so many bytes, become one. Segments of the last tier's size and more
 * are left as they are: merging them would keep their object busy for a second or more.
 */
const tiers = [
  { below: 1 << 20, count: 8 },
  { below: 16 << 20, count: 4 },
]

interface Mergeable {
  size: number
  dead: { length: number }
  deaths: number
}

/**
 * Which segments, neighbours, are merged next: the last ones up to a tier, when there are as many of it as make one of the next;
 * else one of which more than half is dead. `[from, to)`, or nothing.
 */
export function nextMerge(segments: readonly Mergeable[]): [number, number] | undefined {
  for (const [i, { below, count }] of tiers.entries()) {
    const from = 1 + segments.findLastIndex(({ size }) => size >= below)
    const inTier = segments.slice(from).filter(({ size }) => size >= (tiers[i - 1]?.below ?? 0))
    if (inTier.length >= count) return [from, segments.length]
  }
  const rotten = segments.findIndex(({ dead, deaths }) => deaths > dead.length / 2)
  return rotten < 0 ? undefined : [rotten, rotten + 1]
}
