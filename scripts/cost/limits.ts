// Which limit is met first when an operation becomes more frequent.
import type { CostUsage } from './usage.ts'

/** Operations a second that are begun with, and how many times as many come. */
export const base = 10
export const growths = [10, 100, 1_000]

interface Limit {
  name: string
  /** Operations a second at which it is met. */
  rate: number
}

const second = 1_000
const day = 86_400

/** Calls that one object takes in a second: https://developers.cloudflare.com/durable-objects/reference/faq/ */
const objectCalls = 1_000

/** Pictures, videos or documents a second that the three instances in the configurations make, two each at a time. */
const containers = 6

/** On Workers Paid. The rate of a limit that an operation has nothing to do with is infinite. */
function limitsOf(usage: CostUsage): Limit[] {
  const { d1_busy, busiest, busiest_name, container_calls } = usage
  return [
    { name: 'one D1', rate: of(second, d1_busy) },
    { name: `one ${busiest_name}`, rate: of(objectCalls, busiest) },
    { name: 'containers', rate: container_calls > 0 ? containers : Number.POSITIVE_INFINITY },
  ].sort((a, b) => a.rate - b.rate)
}

const of = (allowed: number, used: number) => (used > 0 ? allowed / used : Number.POSITIVE_INFINITY)

/** The first limit that is met at such a growth; nothing where none is. */
export function limitAt(usage: CostUsage, growth: number): Limit | undefined {
  const [first] = limitsOf(usage)
  return first && first.rate <= base * growth ? first : undefined
}

/** Days at the base until a database has its 10 GB; none where it does not grow. */
export function daysOfDatabase({ d1_growth }: CostUsage): number | undefined {
  const gigabytes = 10e9
  return d1_growth > 0 ? gigabytes / (d1_growth * base * day) : undefined
}

/** Operations a day that Workers Free bears. */
export function freeOf(usage: CostUsage): number {
  const { requests, d1_read, d1_written, object_requests, object_read, object_written, r2_a, r2_b } = usage
  return Math.floor(
    Math.min(
      of(100_000, requests),
      of(5e6, d1_read),
      of(100_000, d1_written),
      of(100_000, object_requests),
      of(5e6, object_read),
      of(100_000, object_written),
      of(1e6 / 30, r2_a),
      of(10e6 / 30, r2_b),
    ),
  )
}
