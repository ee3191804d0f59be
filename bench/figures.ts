// Formats the lines of a benchmark's report.
import type { Measured } from './load.ts'

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** A line of the report: the name, those of the figures that exist, and notes. */
export function line(name: string, { rate, p50, p99 }: Partial<Measured>, ...notes: string[]): string {
  const time = (value: number | undefined) => value?.toFixed(2).padStart(7)
  const cells = [
    name.padEnd(32),
    rate === undefined ? ' '.repeat(9) : `${rate.toFixed(0).padStart(7)}/s`,
    p50 === undefined ? ' '.repeat(14) : `p50 ${time(p50)} ms`,
    p99 === undefined ? ' '.repeat(14) : `p99 ${time(p99)} ms`,
    ...notes,
  ]
  return cells.join('  ').trimEnd()
}
