// Formats the result of a soak test as tables.
import { table } from '../lib/table.ts'
import { faultsOf, maxGrowthOf, megabytes, processesIn } from './faults.ts'
import { figuresOf, maxOf, type OperationFigures } from './figures.ts'
import { growthOf } from './growth.ts'
import { isTransient, type MemoryUse, type Sample } from './memory.ts'
import type { SoakResult } from './run.ts'

/** Maximum number of printed faults. */
const maxFaults = 40

/** The whole text of the report, which `npm run soak` prints at the end. */
export function reportOf(result: SoakResult): string {
  const faults = faultsOf(result)
  const more = faults.length > maxFaults ? [`  and ${faults.length - maxFaults} more`] : []
  const summary = faults.length === 0 ? ['Passed: no errors, and no memory growth'] : ['FAULTS', ...faults.slice(0, maxFaults).map((fault) => `  ${fault}`), ...more] // biome-ignore format: one line
  return [latencies(result), memory(result), summary.join('\n')].join('\n\n')
}

function latencies(result: SoakResult): string {
  const ms = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 1 : 0))
  const row = ({ name, count, errors, p50, p95, p99, max }: OperationFigures) => [name, count, errors, ...[p50, p95, p99, max].map(ms)] // biome-ignore format: one line
  const rows = figuresOf(result).map(row)
  return aligned(['operation', 'calls', 'errors', 'p50 ms', 'p95', 'p99', 'max'], rows)
}

function memory(result: SoakResult): string {
  const { samples } = result
  const third = Math.ceil(samples.length / 3)
  const [first, last] = [samples.slice(0, third), samples.slice(-third)]
  const rows = processesIn(samples).map((process) => {
    const mean = (some: Sample[], kind: keyof MemoryUse) =>
      megabytes(some.reduce((sum, { held }) => sum + (held[process]?.[kind] ?? 0), 0) / some.length)
    const max = megabytes(
      maxOf(
        samples.map(({ held }) => held[process]?.own ?? 0),
        0,
      ),
    )
    const both = (['rss', 'own'] as const).flatMap((kind) => [mean(first, kind), mean(last, kind)])
    return [process, ...both, max, ...growth(result, process)]
  })
  const headings = ['process', 'RSS MB, first third', 'last third', 'private MB, first third', 'last third', 'max', 'MB an hour, second half', 'allowed'] // biome-ignore format: one line
  return samples.length === 0 ? 'Memory is measured on Linux only' : aligned(headings, rows)
}

function growth(result: SoakResult, process: string): [string, string] {
  if (isTransient(process)) return ['short-lived', '']
  const found = growthOf(result.samples, process)
  if (!found) return ['run too short', '']
  return [`${megabytes(found.slope)} ± ${megabytes(2 * found.error)}`, megabytes(maxGrowthOf(process))]
}

/** A table with all columns but the first right-aligned. */
function aligned(headings: string[], rows: (string | number)[][]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => String(row[at]).length)))
  return table(headings.map((heading, at) => (at === 0 ? heading : heading.padStart(widths[at]!))), rows.map((row) => row.map((cell, at) => (at === 0 ? cell : String(cell).padStart(widths[at]!))))) // biome-ignore format: one line
}
