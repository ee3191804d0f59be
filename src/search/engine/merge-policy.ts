// Chooses the segments that are merged into one, so that a search reads few segments.

/**
 * Size tiers: when `count` segments of a tier exist, all smaller than `below` bytes, they are merged into one. Segments larger than
 * the last tier are not merged, because such a merge would block the durable object for a second or more.
 */
const tiers = [
  { below: 1 << 20, count: 8 },
  { below: 16 << 20, count: 4 },
]

interface Mergeable {
  size: number
  deleted: { length: number }
  deletedCount: number
}

/**
 * Chooses the segments to merge next, as the range `[from, to)`: the last segments if they fill a tier, else one segment of which
 * more than half of the documents are deleted, which is rewritten without these. Undefined if no merge is due.
 */
export function nextMerge(segments: readonly Mergeable[]): [number, number] | undefined {
  for (const [i, { below, count }] of tiers.entries()) {
    const from = 1 + segments.findLastIndex(({ size }) => size >= below)
    const inTier = segments.slice(from).filter(({ size }) => size >= (tiers[i - 1]?.below ?? 0))
    if (inTier.length >= count) return [from, segments.length]
  }
  const mostlyDeleted = segments.findIndex(({ deleted, deletedCount }) => deletedCount > deleted.length / 2)
  return mostlyDeleted < 0 ? undefined : [mostlyDeleted, mostlyDeleted + 1]
}
