// Scales of the axes of a plot: convert values to positions, and choose round values for ticks.

export interface Scale {
  /** Returns the position of a value on the axis, from 0 to 1. */
  at(value: number): number
  /** Round values for the ticks of the axis, in ascending order. */
  ticks: number[]
}

/** A linear scale from 0 to a round value of at least `maxOf`. */
export function linear(maxOf: number): Scale {
  const step = roundStep(maxOf / 4 || 1)
  const count = Math.max(1, Math.ceil(maxOf / step))
  return { at: (value) => value / (step * count), ticks: Array.from({ length: count + 1 }, (_, i) => i * step) }
}

/** The smallest round number (1, 2 or 5 times a power of ten) that is at least `least`, as the distance of ticks. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least * 0.999)!
}

/** A logarithmic scale between powers of ten that include all values. */
export function logarithmic(lowest: number, maxOf: number): Scale {
  const from = Math.floor(Math.log10(Math.max(lowest, 0.1)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(maxOf, 0.1))))
  const at = (value: number) => (Math.log10(Math.max(value, 10 ** from)) - from) / (to - from)
  return { at, ticks: Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i)) }
}

/**
 * A scale of time from the start to the end. Ticks are milliseconds; labels are minutes, or seconds for a short run.
 */
export function timeline(end: number): Scale & { label(tick: number): string } {
  const [unit, name] = end > 180_000 ? [60_000, 'min'] : [1_000, 's']
  const step = roundStep(end / unit / 8) * unit
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
  return { at: (value) => value / end, ticks, label: (tick) => `${round(tick / unit)} ${name}` }
}

/** Rounds to two decimals. */
export const round = (value: number) => Number(value.toFixed(2))
