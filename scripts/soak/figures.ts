// What the calls come to.
import type { ScheduledCall } from './arrivals.ts'
import type { LoadResult } from './load.ts'

export interface OperationFigures {
  name: string
  count: number
  errors: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  max: number
}

/** One of each operation, in the order in which they are declared, and one of all together. */
export function figuresOf({ operations, calls }: LoadResult): OperationFigures[] {
  const each = operations.map((name, index) => figures(name, calls.filter(({ operation }) => operation === index))) // biome-ignore format: one line
  return [...each, figures('all', calls)]
}

function figures(name: string, calls: ScheduledCall[]): OperationFigures {
  const at = quantiles(calls)
  const errors = calls.filter(({ error }) => error).length
  return { name, count: calls.length, errors, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** How many milliseconds such a share of the calls took at most; not a number where there are none. */
export function quantiles(calls: ScheduledCall[]): (share: number) => number {
  const times = calls.map(({ took }) => took).sort((a, b) => a - b)
  return (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

/** How often each thing went wrong, the most frequent first. */
export function errorsIn({ operations, calls }: LoadResult): [error: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { operation, error } of calls) {
    if (error === undefined) continue
    const said = `${operations[operation]}: ${error}`
    counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** A stretch of time, in milliseconds from the start. */
interface Stretch {
  from: number
  to: number
  calls: ScheduledCall[]
}

/** The calls by when they were due, in so many stretches of one length. */
export function stretchesOf(calls: ScheduledCall[], count: number): Stretch[] {
  const end = highest(
    calls.map(({ at }) => at),
    1,
  )
  const stretches = Array.from({ length: count }, (_, i): Stretch => {
    return { from: (i * end) / count, to: ((i + 1) * end) / count, calls: [] }
  })
  for (const call of calls) stretches[Math.min(count - 1, Math.floor((call.at / end) * count))]!.calls.push(call)
  return stretches
}

/** The highest of them, and of `least`; of more than a call takes as its arguments. */
export const highest = (values: number[], least: number) => values.reduce((most, value) => Math.max(most, value), least)
