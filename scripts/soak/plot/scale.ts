// Where a value lies on an axis.

export interface Scale {
  /** From 0 to 1. */
  at(value: number): number
  /** Round values, from the lowest to the highest. */
  ticks: number[]
}

/** From 0 to a round value that is at least the highest. */
export function linear(highest: number): Scale {
  const step = roundStep(highest / 4 || 1)
  const count = Math.max(1, Math.ceil(highest / step))
  return { at: (value) => value / (step * count), ticks: Array.from({ length: count + 1 }, (_, i) => i * step) }
}

/** 1, 2 or 5 of a power of ten, and no less. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least * 0.999)!
}

/** From a power of ten to another one, both ends such that all values lie between them. */
export function logarithmic(lowest: number, highest: number): Scale {
  const from = Math.floor(Math.log10(Math.max(lowest, 0.1)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(highest, 0.1))))
  const at = (value: number) => (Math.log10(Math.max(value, 10 ** from)) - from) / (to - from)
  return { at, ticks: Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i)) }
}

/** From the start to the end in minutes, or in seconds where it is short; the ticks are in milliseconds. */
export function timeline(end: number): Scale & { label(tick: number): string } {
  const [unit, name] = end > 180_000 ? [60_000, 'min'] : [1_000, 's']
  const step = roundStep(end / unit / 8) * unit
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
  return { at: (value) => value / end, ticks, label: (tick) => `${round(tick / unit)} ${name}` }
}

/** With two digits after the point at the most. */
export const round = (value: number) => Number(value.toFixed(2))
