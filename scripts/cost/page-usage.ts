// Reads the usage of each operation from the tables of docs/costs.md, so that everyone can repeat the calculation of a bill.
import { timeOf } from './container.ts'
import { tablesIn } from './markdown.ts'
import type { BilledUsage } from './prices.ts'

/** The usage of an operation as the page shows it, and the bytes by which the operation grows its database. */
export interface PageUsage extends BilledUsage {
  growth: number
}

const columns: (keyof BilledUsage | undefined)[] = [
  ...([undefined, 'requests', undefined, 'cpu_ms', 'd1_read', 'd1_written'] as const),
  ...(['object_requests', 'object_read', 'object_written', 'gb_s', 'r2_a', 'r2_b', 'log_events'] as const),
]

/** The operations of the tables, each by `component operation`. */
export function usagesIn(tables: string): Map<string, PageUsage> {
  const found = new Map<string, PageUsage>()
  for (const section of tables.split(/^(?=### )/m).slice(1)) {
    const component = section.slice('### '.length, section.indexOf('\n'))
    const [main = [], inContainer = []] = tablesIn(section)
    for (const [name = '', ...cells] of main.slice(1)) {
      const operation = name.replace(/ \*$/, '')
      const busy = inContainer.find(([other]) => other === operation)
      found.set(`${component} ${operation}`, {
        ...measuredIn([name, ...cells]),
        vcpu_s: Number(busy?.[1] ?? 0),
        ...timeOf(Number(busy?.[2] ?? 0)),
        growth: growthOf(section, operation),
      })
    }
  }
  return found
}

const measuredIn = (cells: string[]) =>
  Object.fromEntries(columns.flatMap((key, at) => (key ? [[key, Number(cells[at])]] : []))) as unknown as BilledUsage // The columns and the container's have all keys.

function growthOf(section: string, operation: string): number {
  const [, bytes = 0] =
    [...section.matchAll(/^`(.+)` lets the database grow by (\d+) bytes/gm)]
      .map(([, name, bytes]) => [name, bytes] as const)
      .find(([name]) => name === operation) ?? []
  return Number(bytes)
}
