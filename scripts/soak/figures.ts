// Computes latencies and error counts of the calls of a soak test.

import type { LoadResult } from './load.ts'
import type { ScheduledCall } from './open-loop.ts'

export interface OperationFigures {
  name: string
  count: number
  errors: number
  /** Latency in milliseconds below which half of the calls are; `p95` and `p99` are the other percentiles. */
  p50: number
  p95: number
  p99: number
  max: number
}

/** Statistics of each operation, in order of declaration, and of all together. */
export function figuresOf({ operations, calls }: LoadResult): OperationFigures[] {
  const each = operations.map((name, index) => figures(name, calls.filter(({ operation }) => operation === index))) // biome-ignore format: one line
  return [...each, figures('all', calls)]
}

function figures(name: string, calls: ScheduledCall[]): OperationFigures {
  const at = quantiles(calls)
  const errors = calls.filter(({ error }) => error).length
  return { name, count: calls.length, errors, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Returns a function that computes quantiles of the calls' durations in milliseconds; NaN without calls. */
export function quantiles(calls: ScheduledCall[]): (share: number) => number {
  const times = calls.map(({ took }) => took).sort((a, b) => a - b)
  return (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

/** The number of occurrences of each error, the most frequent first. */
export function errorsIn({ operations, calls }: LoadResult): [error: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { operation, error } of calls) {
    if (error === undefined) continue
    const text = `${operations[operation]}: ${error}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** A time interval in milliseconds from the start, with its calls. */
interface TimeInterval {
  from: number
  to: number
  calls: ScheduledCall[]
}

/** Splits the run into `count` intervals of equal length, and assigns each call by its planned start. */
export function intervalsOf(calls: ScheduledCall[], count: number): TimeInterval[] {
  const end = maxOf(
    calls.map(({ at }) => at),
    1,
  )
  const intervals = Array.from({ length: count }, (_, i): TimeInterval => {
    return { from: (i * end) / count, to: ((i + 1) * end) / count, calls: [] }
  })
  for (const call of calls) intervals[Math.min(count - 1, Math.floor((call.at / end) * count))]!.calls.push(call)
  return intervals
}

/**
 * The maximum of the values and of `least`. `Math.max` fails for very large arrays, since it takes the values as
 * arguments.
 */
export const maxOf = (values: number[], least: number) => values.reduce((most, value) => Math.max(most, value), least)
