// Measures how fast the memory of a process grows during a soak test.
import type { Sample } from './memory.ts'

interface Growth {
  /** Growth in bytes an hour, as the slope of the fitted line. `error` is its standard error. */
  slope: number
  error: number
}

const hourMs = 3_600_000
const windowCount = 12

/** Minimum duration of the second half of a run, in milliseconds. In shorter runs, warm-up looks like growth. */
const minHalfMs = 240_000

/**
 * The growth of a process's private memory over the second half of a run, when caches are warm. A line is fitted
 * through the minimum of each of twelve parts, since the minimum is the memory just after a garbage collection.
 * Undefined if the run is too short.
 */
export function growthOf(samples: Sample[], process: string): Growth | undefined {
  const points = samples.flatMap(({ at, held }) => (held[process] ? [{ at, bytes: held[process].own }] : []))
  const half = points.slice(Math.floor(points.length / 2))
  const size = Math.floor(half.length / windowCount)
  if (size < 3 || half.at(-1)!.at - half[0]!.at < minHalfMs) return undefined
  const floors = Array.from({ length: windowCount }, (_, i) =>
    half.slice(i * size, (i + 1) * size).reduce((least, one) => (one.bytes < least.bytes ? one : least)),
  )
  return lineThrough(floors.map(({ at, bytes }) => [at / hourMs, bytes]))
}

/** Fits a line through points by least squares (linear regression). */
function lineThrough(points: [x: number, y: number][]): Growth {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [mx, my] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread
  const left = points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0)
  return { slope, error: Math.sqrt(left / (points.length - 2) / spread) }
}
