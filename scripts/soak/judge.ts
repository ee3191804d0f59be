// What is said of a soak in the end.
import { errorsIn } from './figures.ts'
import { growthOf } from './growth.ts'
import { isTransient, runtime, type Sample } from './memory.ts'
import type { Seen } from './run.ts'

const megabyte = 1_024 * 1_024

/** What is wrong, a line each; nothing of a soak that is well. */
export const faultsOf = (seen: Seen): string[] => [
  ...(seen.calls.length === 0 ? ['Nothing was done'] : []),
  ...errorsIn(seen).map(([error, count]) => `${count} × ${error}`),
  ...seen.broken,
  ...seen.logged.map((line) => `logged: ${line.slice(0, 500)}`),
  ...processesIn(seen.samples).flatMap((process) => growing(seen, process) ?? []),
]

/** By what any process may grow in an hour. */
const bound = 30 * megabyte

/**
 * What the local runtime itself keeps of an operation: under a bare Worker that writes one row to the local D1 it grows by
 * 38 KB a request, and an operation here is two or three.
 */
const kept = 100 * 1_024

const hour = 3_600_000

/** By what a process may grow in an hour of as many operations as these. */
export function boundOf(process: string, { calls, samples }: Pick<Seen, 'calls' | 'samples'>): number {
  if (process !== runtime) return bound
  const lasted = samples.at(-1)?.at ?? hour
  return bound + kept * calls.length * (hour / lasted)
}

/** A process grows where the slope is above the bound by twice its error: one that only moves up and down does not. */
function growing(seen: Seen, process: string): string | undefined {
  const { samples } = seen
  const growth = isTransient(process) ? undefined : growthOf(samples, process)
  if (!growth || growth.slope - 2 * growth.error <= boundOf(process, seen)) return undefined
  return `${process} grows by ${megabytes(growth.slope)} MB an hour, above ${megabytes(boundOf(process, seen))}`
}

/** Those that were seen, in order. */
export const processesIn = (samples: Sample[]) => [...new Set(samples.flatMap(({ held }) => Object.keys(held)))]

export const megabytes = (bytes: number) => (bytes / megabyte).toFixed(0)
