// The tables of a soak.
import { table } from '../lib/table.ts'
import { figuresOf, highest, type OperationFigures } from './figures.ts'
import { growthOf } from './growth.ts'
import { boundOf, faultsOf, megabytes, processesIn } from './judge.ts'
import { isTransient, type MemoryUse, type Sample } from './memory.ts'
import type { Seen } from './run.ts'

/** How many faults are printed. */
const shown = 40

/** All that is printed of a soak. */
export function reportOf(seen: Seen): string {
  const faults = faultsOf(seen)
  const more = faults.length > shown ? [`  and ${faults.length - shown} more`] : []
  const said = faults.length === 0 ? ['Well: no error, and no memory that grows'] : ['FAULTS', ...faults.slice(0, shown).map((fault) => `  ${fault}`), ...more] // biome-ignore format: one line
  return [latencies(seen), memory(seen), said.join('\n')].join('\n\n')
}

function latencies(seen: Seen): string {
  const ms = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 1 : 0))
  const row = ({ name, count, errors, p50, p95, p99, max }: OperationFigures) => [name, count, errors, ...[p50, p95, p99, max].map(ms)] // biome-ignore format: one line
  const rows = figuresOf(seen).map(row)
  return aligned(['operation', 'calls', 'errors', 'p50 ms', 'p95', 'p99', 'max'], rows)
}

function memory(seen: Seen): string {
  const { samples } = seen
  const third = Math.ceil(samples.length / 3)
  const [first, last] = [samples.slice(0, third), samples.slice(-third)]
  const rows = processesIn(samples).map((process) => {
    const mean = (some: Sample[], what: keyof MemoryUse) =>
      megabytes(some.reduce((sum, { held }) => sum + (held[process]?.[what] ?? 0), 0) / some.length)
    const most = megabytes(
      highest(
        samples.map(({ held }) => held[process]?.own ?? 0),
        0,
      ),
    )
    const both = (['rss', 'own'] as const).flatMap((what) => [mean(first, what), mean(last, what)])
    return [process, ...both, most, ...growth(seen, process)]
  })
  const headings = ['process', 'RSS MB, first third', 'last third', 'private MB, first third', 'last third', 'most', 'MB an hour, second half', 'allowed'] // biome-ignore format: one line
  return samples.length === 0 ? 'Without Linux no memory is measured' : aligned(headings, rows)
}

function growth(seen: Seen, process: string): [string, string] {
  if (isTransient(process)) return ['comes and goes', '']
  const found = growthOf(seen.samples, process)
  if (!found) return ['too short to say', '']
  return [`${megabytes(found.slope)} ± ${megabytes(2 * found.error)}`, megabytes(boundOf(process))]
}

/** A table whose columns but the first are all to the right. */
function aligned(headings: string[], rows: (string | number)[][]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => String(row[at]).length)))
  return table(headings.map((heading, at) => (at === 0 ? heading : heading.padStart(widths[at]!))), rows.map((row) => row.map((cell, at) => (at === 0 ? cell : String(cell).padStart(widths[at]!))))) // biome-ignore format: one line
}
