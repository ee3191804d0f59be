// Decides whether a soak test failed: by errors, failed checks, logged lines and the growth of memory.
import { errorsIn } from './figures.ts'
import { growthOf } from './growth.ts'
import { isTransient, runtime, type Sample } from './memory.ts'
import type { SoakResult } from './run.ts'

const megabyte = 1_024 * 1_024

/** The faults of a run, one line each; empty if the test passed. */
export const faultsOf = (result: SoakResult): string[] => [
  ...(result.calls.length === 0 ? ['No operation ended'] : []),
  ...errorsIn(result).map(([error, count]) => `${count} × ${error}`),
  ...result.failedChecks,
  ...result.logged.map((line) => `logged: ${line.slice(0, 500)}`),
  ...processesIn(result.samples).flatMap((process) => growing(result, process) ?? []),
]

/** Allowed growth of a process's memory, in bytes an hour. */
const maxGrowth = 30 * megabyte

/**
 * Allowed growth of the runtime's memory, in bytes an hour. It is larger, since the runtime indexes all documents of
 * the search and caches database pages.
 */
const maxRuntimeGrowth = 150 * megabyte

/** The allowed growth of a process, in bytes an hour. */
export const maxGrowthOf = (process: string) => (process === runtime ? maxRuntimeGrowth : maxGrowth)

/**
 * A fault if a process's memory grows too fast. Growth must exceed the limit by more than twice its standard error, so
 * that fluctuation is no fault.
 */
function growing({ samples }: SoakResult, process: string): string | undefined {
  const growth = isTransient(process) ? undefined : growthOf(samples, process)
  if (!growth || growth.slope - 2 * growth.error <= maxGrowthOf(process)) return undefined
  return `${process} grows by ${megabytes(growth.slope)} MB an hour, above ${megabytes(maxGrowthOf(process))}`
}

/** The processes in the samples, in order. */
export const processesIn = (samples: Sample[]) => [...new Set(samples.flatMap(({ held }) => Object.keys(held)))]

export const megabytes = (bytes: number) => (bytes / megabyte).toFixed(0)
