// Calculates a month's bill from the usage of operations and the assumptions.
import { type BillScale, daysPerMonth, everyMinute, flush, inContainers, secondsPerMonth, storedBytes, userDay, withTask } from './assumptions.ts' // biome-ignore format: one line
import { idleSeconds, maxInstances, nothing, timeOf } from './container.ts'
import type { PageUsage } from './page-usage.ts'
import { type BilledUsage, prices, storagePrices, subscription } from './prices.ts'

/** A line: units that a month uses, those that the subscription includes, and the price of the others. */
export interface BillLine {
  of: string
  used: number
  included: number
  /** Price of one unit. */
  price: number
  dollars: number
}

export interface Bill {
  users: number
  requestsPerSecond: number
  lines: BillLine[]
  /** The line of log events, which is also one of `lines`. */
  logs: BillLine
  total: number
}

/** The bill of a month. `usages` has each operation of the assumptions by its name. */
export function billOf({ users, requestsPerSecond = 0, isolates }: BillScale, usages: Map<string, PageUsage>): Bill {
  const perUser = Object.entries(userDay).map(([name, times]) => ({ name, times, usage: find(usages, name) }))
  const requestsPerUser = perUser.reduce((sum, { times, usage }) => sum + times * usage.requests, 0)
  const all = users ?? Math.round((requestsPerSecond * 86_400) / requestsPerUser)
  const work = perUser.map(({ name, times, usage }) => ({ name, times: times * all * daysPerMonth, usage }))
  const used = monthOf(work, find(usages, everyMinute), isolates)
  const lines = [
    ...prices.map(({ key, of, included, perMillion }) => lineOf(of, used[key], included, perMillion / 1e6)),
    ...storageOf(work),
  ]
  const total = lines.reduce((sum, { dollars }) => sum + dollars, subscription)
  const logs = lines[prices.findIndex(({ key }) => key === 'log_events')]!
  return { users: all, requestsPerSecond: (all * requestsPerUser) / 86_400, lines, logs, total }
}

interface MonthlyWork {
  name: string
  times: number
  usage: PageUsage
}

function find(usages: Map<string, PageUsage>, name: string): PageUsage {
  const usage = usages.get(name)
  if (!usage) throw new Error(`docs/costs.md has no row for ${name}`)
  return usage
}

const keys = Object.keys(nothing) as (keyof BilledUsage)[]

/** The usage of a month: operations, the work of every minute, metrics, and the time of containers. */
function monthOf(work: MonthlyWork[], minute: PageUsage, isolates: number): BilledUsage {
  const minutes = secondsPerMonth / 60
  const operations = [...work, { times: minutes, usage: minute }]
  const sum = (key: keyof BilledUsage) => operations.reduce((total, { times, usage }) => total + times * usage[key], 0)
  const used = Object.fromEntries(keys.map((key) => [key, sum(key)])) as unknown as BilledUsage // All keys of the type.
  const flushes = Math.min(used.requests, (isolates * secondsPerMonth) / flush.everySeconds)
  const tasks = timesOf(work, withTask)
  return {
    ...used,
    object_requests: used.object_requests + flushes,
    object_read: used.object_read + flushes * flush.rowsRead,
    object_written: used.object_written + flushes * flush.rowsWritten,
    log_events: used.log_events + flushes,
    gb_s: used.gb_s + activeSeconds(tasks, flush.everySeconds) * 0.128,
    ...timeOf(inContainers.reduce((total, names) => total + awakeSeconds(timesOf(work, names)), 0)),
  }
}

const timesOf = (work: MonthlyWork[], names: string[]) =>
  work.reduce((total, { name, times }) => total + (names.includes(name) ? times : 0), 0)

/**
 * Seconds of a month in which something is active that stays active for `lasting` seconds after each of `times` events, if
 * the events are independent of each other: a share of 1 - e^(-rate × lasting) of the time.
 */
export const activeSeconds = (times: number, lasting: number) =>
  secondsPerMonth * (1 - Math.exp((-times / secondsPerMonth) * lasting))

/** Seconds in which instances of a container run, together: each gets an equal share of the requests. */
const awakeSeconds = (times: number) => maxInstances * activeSeconds(times / maxInstances, idleSeconds)

const bytesPerGigabyte = 1e9

/** Storage at the end of the first month. */
function storageOf(work: MonthlyWork[]): BillLine[] {
  const gigabytes = (bytesOf: (each: MonthlyWork) => number) =>
    work.reduce((total, each) => total + each.times * bytesOf(each), 0) / bytesPerGigabyte
  const { d1, r2 } = storagePrices
  return [
    lineOf(d1.of, gigabytes(({ usage }) => usage.growth), d1.included, d1.perGigabyte),
    lineOf(r2.of, gigabytes(({ name }) => storedBytes[name] ?? 0), r2.included, r2.perGigabyte),
  ] // biome-ignore format: one line each
}

const lineOf = (of: string, used: number, included: number, price: number): BillLine => ({
  ...{ of, used, included, price },
  dollars: Math.max(0, used - included) * price,
})
