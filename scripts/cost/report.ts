// Formats the costs of operations, as text and for docs/costs.md.
import { table } from '../lib/table.ts'
import { idleDollars } from './container.ts'
import { base, daysOfDatabase, freeOf, growths, limitAt } from './limits.ts'
import { markdownTable } from './markdown.ts'
import type { Cost } from './measure.ts'
import { asOf, dollarsPerMillion, dollarsWithLogs, prices } from './prices.ts'
import type { CostUsage } from './usage.ts'

const headings = [
  ...['operation', 'requests', 'subrequests', 'CPU ms', 'D1 read', 'written', 'object requests', 'read', 'written'],
  ...['GB-s', 'R2 A', 'B', 'log events', '$ a million', 'with logs', 'free, a day'],
  ...growths.map((growth) => `at ${base * growth}/s`),
]

/** The row of an operation in the table of costs. A `*` marks costs that depend on the number of operations. */
function rowOf({ operation, usage, fewer }: Cost): string[] {
  const { requests, subrequests, cpu_ms, d1_read, d1_written } = usage
  const { object_requests, object_read, object_written, gb_s, r2_a, r2_b, log_events } = usage
  const rows = [d1_read, d1_written, object_requests, object_read, object_written]
  const met = growths.map((growth) => limitAt(usage, growth)?.name ?? '')
  return [
    operation + (isEven(usage, fewer) ? '' : ' *'),
    ...[requests, subrequests].map(figure),
    cpu_ms.toFixed(0),
    ...rows.map(figure),
    gb_s.toFixed(4),
    ...[r2_a, r2_b, log_events].map(figure),
    ...[dollarsPerMillion(usage), dollarsWithLogs(usage)].map((dollars) => dollars.toFixed(2)),
    String(freeOf(usage)),
    ...met,
  ]
}

const containerHeadings = [
  ...['in the container', 'vCPU-s', 'seconds', 'memory GiB-s', 'disk GB-s', '$ a million'],
  ...['with the idle time of one start each'],
]

/** The row of an operation that uses a container. */
function containerRowOf({ operation, usage }: Cost): string[] {
  const { vcpu_s, container_s, container_gib_s, container_gb_s } = usage
  const dollars = dollarsPerMillion(usage)
  return [
    operation,
    ...[vcpu_s, container_s, container_gib_s, container_gb_s].map((amount) => amount.toFixed(2)),
    ...[dollars, dollars + 1e6 * idleDollars()].map((amount) => amount.toFixed(2)),
  ]
}

/** A row as a line of text, which is printed while the next operation runs. */
export const lineOf = (cost: Cost): string =>
  rowOf(cost)
    .map((cell, at) => (at === 0 ? `${cost.component}: ${cell}`.padEnd(62) : `${headings[at]} ${cell || '-'}`))
    .join('  ')

/**
 * Whether the costs per operation are the same for twice as many operations. Rows read in D1 are not compared, since
 * they grow with the table.
 */
const isEven = (usage: CostUsage, fewer: CostUsage) =>
  (['d1_written', 'object_requests', 'object_written', 'r2_a', 'r2_b'] as const).every(
    (key) => Math.abs(usage[key] - fewer[key]) <= 0.1 * Math.max(usage[key], fewer[key]) + 0.01,
  )

const figure = (value: number) => String(Number(value.toFixed(value < 10 ? 1 : 0)))

/** A text table per component. */
export const textOf = (costs: Cost[]): string =>
  componentsIn(costs)
    .map(([component, some]) => `${component}\n${table(headings, some.map(rowOf))}`)
    .join('\n\n')

/** The tables of the page: new tables of these components, and the unchanged tables of the others. */
export function pageOf(costs: Cost[], before: string): string {
  const sections = new Map(
    before
      .split(/^(?=### )/m)
      .slice(1)
      .map((text) => [nameOf(text), text.trim()]),
  )
  for (const [component, some] of componentsIn(costs)) {
    const parts = [`### ${component}`, markdownTable(headings, some.map(rowOf)), ...containers(some), ...growth(some)]
    sections.set(component, parts.join('\n\n'))
  }
  const names = [...sections.keys()].sort()
  return [pricesAsTable(), ...names.map((name) => sections.get(name)!)].join('\n\n')
}

const nameOf = (section: string) => section.slice('### '.length, section.indexOf('\n'))

function pricesAsTable(): string {
  const heads = ['', '$ a million', 'included with Paid, a month', 'Free', '']
  const rows = prices.map(({ of, perMillion, included, free, source }) => [of, String(perMillion), amountOf(included), free, `[source](${source})`]) // biome-ignore format: one line
  return `Prices as of ${asOf}.\n\n${markdownTable(heads, rows)}`
}

/** `10 million`, or `400 000`. */
function amountOf(units: number): string {
  const named = [[1e9, 'billion'] as const, [1e6, 'million'] as const].find(([unit]) => units >= unit)
  return named ? `${units / named[0]} ${named[1]}` : String(units).replace(/\B(?=(\d{3})+$)/g, ' ')
}

function containers(costs: Cost[]): string[] {
  const rows = costs.filter(({ usage }) => usage.container_calls > 0).map(containerRowOf)
  return rows.length > 0 ? [markdownTable(containerHeadings, rows)] : []
}

/** The number of days until the database is full, as a sentence. */
const growth = (costs: Cost[]) =>
  costs.flatMap(({ operation, usage }) => {
    const days = daysOfDatabase(usage)
    return days === undefined ? [] : `\`${operation}\` lets the database grow by ${usage.d1_growth.toFixed(0)} bytes: at ${base} a second it has its 10 GB after ${days.toFixed(0)} days.` // biome-ignore format: one line
  })

function componentsIn(costs: Cost[]): [component: string, costs: Cost[]][] {
  const names = [...new Set(costs.map(({ component }) => component))]
  return names.map((name) => [name, costs.filter(({ component }) => component === name)])
}
