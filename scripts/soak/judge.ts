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

/** By what any other process may grow in an hour. */
const bound = 30 * megabyte

/** By what the runtime may: it holds an index of all that was written to search, and pages of every database. */
const boundOfRuntime = 150 * megabyte

/** By what a process may grow in an hour. */
export const boundOf = (process: string) => (process === runtime ? boundOfRuntime : bound)

/** A process grows where the slope is above the bound by twice its error: one that only moves up and down does not. */
function growing({ samples }: Seen, process: string): string | undefined {
  const growth = isTransient(process) ? undefined : growthOf(samples, process)
  if (!growth || growth.slope - 2 * growth.error <= boundOf(process)) return undefined
  return `${process} grows by ${megabytes(growth.slope)} MB an hour, above ${megabytes(boundOf(process))}`
}

/** Those that were seen, in order. */
export const processesIn = (samples: Sample[]) => [...new Set(samples.flatMap(({ held }) => Object.keys(held)))]

export const megabytes = (bytes: number) => (bytes / megabyte).toFixed(0)
