// Formats the worked bills of docs/costs.md.
import { daysPerMonth, flush, scales, storedBytes, userDay } from './assumptions.ts'
import { type Bill, type BillLine, billOf } from './bill.ts'
import { idleDollars, idleSeconds, instance, maxInstances } from './container.ts'
import { markdownTable } from './markdown.ts'
import type { PageUsage } from './page-usage.ts'
import { subscription } from './prices.ts'

/** The share of logs in the last line of each bill. */
const sampledShare = 0.1

/** The bills, and the assumptions that they have in common. `usages` are those of the page's tables. */
export function billsAsText(usages: Map<string, PageUsage>): string {
  const bills = scales.map((scale) => ({ ...scale, ...billOf(scale, usages) }))
  return [
    summary(bills),
    ...bills.map((bill) => textOf(bill, bill.title)),
    '### Assumptions of the bills',
    assumptions(bills[0]!.isolates, bills.at(-1)!.isolates),
    markdownTable(
      ["operations of a user's day", 'times'],
      Object.entries(userDay).map(([name, times]) => [name.replace(' ', ': '), String(times)]),
    ),
  ].join('\n\n')
}

const dollars = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }) // biome-ignore format: one line
const whole = (amount: number) => Math.round(amount).toLocaleString('en-US')
const rate = (amount: number) => Number(amount.toPrecision(2)).toLocaleString('en-US')

const withoutLogs = ({ total, logs }: Bill) => total - logs.dollars

function withSampling({ total, logs: { used, included, price, dollars } }: Bill): number {
  return total - dollars + Math.max(0, used * sampledShare - included) * price
}

function summary(bills: (Bill & { title: string })[]): string {
  const heads = ['a month', 'users', 'requests a second', '$ without logs', '$ with logs', `$ with ${sampledShare * 100} % of the logs`] // biome-ignore format: one line
  return markdownTable(
    heads,
    bills.map((bill) => [
      bill.title,
      whole(bill.users),
      rate(bill.requestsPerSecond),
      ...[withoutLogs(bill), bill.total, withSampling(bill)].map(dollars),
    ]),
  )
}

function textOf(bill: Bill, title: string): string {
  const used = bill.lines.filter((line) => Math.round(line.used * 10) > 0)
  const rows = [
    ['Workers Paid', '', '', '', dollars(subscription)],
    ...used.map(rowOf),
    ['**total**', '', '', '', `**${dollars(bill.total)}**`],
  ]
  const heads = ['', 'used', 'included', '$ a million, or a GB', '$']
  return `### ${title}\n\n${markdownTable(heads, rows)}`
}

const isStorage = ({ of }: BillLine) => of.endsWith('GB')

function rowOf(line: BillLine): string[] {
  const { of, used, included, price } = line
  const amount = isStorage(line) ? used.toFixed(1) : whole(used)
  return [of, amount, whole(included), String(Number((isStorage(line) ? price : price * 1e6).toPrecision(6))), dollars(line.dollars)] // biome-ignore format: one line
}

const assumptions = (isolates: number, manyIsolates: number) =>
  [
    `A month has ${daysPerMonth} days, and stored data grows for one month. No price of a provider of SMS, email or payments is included.`,
    `An image with its thumbnails takes ${bytes('media POST /image, a photo')} kB in R2, and a video ${bytes('media POST /video, until it is mp4')} kB.`,
    'The cron trigger runs every minute; its work is the row of the gateway below, which includes the work of every fifth and tenth minute.',
    `Metrics are on: ${isolates} isolates (${manyIsolates} at 1 000 requests per second) each send their counts after a request, at most every ${flush.everySeconds} s, with ${flush.rowsWritten} rows written. The object of a queue worker stays active for ${flush.everySeconds} s after a task.`,
    `Requests arrive at random times. A container has ${maxInstances} instances of the type \`${instance.type}\` (${instance.memoryGib} GiB, ${instance.diskGb} GB of disk). Each runs until it was idle for ${idleSeconds / 60} minutes, which costs $${idleDollars().toFixed(4)}: with \`r\` requests a second, an instance runs for a share of 1 - e^(-${idleSeconds} r) of the time.`,
    'All log events are stored, except in the last column of the first table.',
  ]
    .map((line) => `- ${line}`)
    .join('\n')

const bytes = (name: string) => whole((storedBytes[name] ?? 0) / 1_000)
