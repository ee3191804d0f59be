// What is said of a soak in the end.
import { errorsIn } from './figures.ts'
import { growthOf } from './growth.ts'
import { isTransient, type Sample } from './memory.ts'
import type { Seen } from './run.ts'

const megabyte = 1_024 * 1_024

/** What is wrong, a line each; nothing of a soak that is well. */
export const faultsOf = (seen: Seen): string[] => [
  ...(seen.calls.length === 0 ? ['Nothing was done'] : []),
  ...errorsIn(seen).map(([error, count]) => `${count} × ${error}`),
  ...seen.broken,
  ...seen.logged.map((line) => `logged: ${line.slice(0, 500)}`),
  ...processesIn(seen.samples).flatMap((process) => growing(seen.samples, process) ?? []),
]

/** By what a process may grow in an hour. */
const bounds = { workerd: 150 * megabyte, other: 30 * megabyte }

export const boundOf = (process: string) => (process === 'workerd' ? bounds.workerd : bounds.other)

/** A process grows where the slope is above the bound by twice its error: one that only moves up and down does not. */
function growing(samples: Sample[], process: string): string | undefined {
  const growth = isTransient(process) ? undefined : growthOf(samples, process)
  if (!growth || growth.slope - 2 * growth.error <= boundOf(process)) return undefined
  return `${process} grows by ${megabytes(growth.slope)} MB an hour, above ${megabytes(boundOf(process))}`
}

/** Those that were seen, in order. */
export const processesIn = (samples: Sample[]) => [...new Set(samples.flatMap(({ held }) => Object.keys(held)))]

export const megabytes = (bytes: number) => (bytes / megabyte).toFixed(0)
