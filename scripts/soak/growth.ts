// Whether memory grows.
import type { Sample } from './memory.ts'

interface Growth {
  /** Bytes an hour, and the error of that. */
  slope: number
  error: number
}

const hour = 3_600_000
const windows = 12

/** Milliseconds of the second half: before, what is young cannot be told from what grows. */
const shortest = 240_000

/**
 * How fast the floor of what a process holds rises over the second half of a run, when caches are warm: a line through
 * the least value of each of twelve parts, which is what is left after garbage was collected. Nothing of a run that is too short.
 */
export function growthOf(samples: Sample[], process: string): Growth | undefined {
  const seen = samples.flatMap(({ at, held }) => (held[process] ? [{ at, bytes: held[process].own }] : []))
  const half = seen.slice(Math.floor(seen.length / 2))
  const size = Math.floor(half.length / windows)
  if (size < 3 || half.at(-1)!.at - half[0]!.at < shortest) return undefined
  const floors = Array.from({ length: windows }, (_, i) =>
    half.slice(i * size, (i + 1) * size).reduce((least, one) => (one.bytes < least.bytes ? one : least)),
  )
  return lineThrough(floors.map(({ at, bytes }) => [at / hour, bytes]))
}

/** Least squares. */
function lineThrough(points: [x: number, y: number][]): Growth {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [mx, my] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread
  const left = points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0)
  return { slope, error: Math.sqrt(left / (points.length - 2) / spread) }
}
