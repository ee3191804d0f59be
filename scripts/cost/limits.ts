// Computes for an operation which limit of Cloudflare it reaches first as traffic grows (one D1, one durable object, or
// the containers), the days until a D1 database is full, and the operations a day that Workers Free allows.
import type { CostUsage } from './usage.ts'

/** Operations a second at today's traffic. `growths` are the factors of growth for which limits are reported. */
export const base = 10
export const growths = [10, 100, 1_000]

interface Limit {
  name: string
  /** Operations a second at which the limit is reached. */
  rate: number
}

const msPerSecond = 1_000
const secondsPerDay = 86_400

/**
 * Maximum number of calls of one durable object a second:
 * https://developers.cloudflare.com/durable-objects/reference/faq/
 */
const objectCallRate = 1_000

/** Images, videos or documents a second that the containers can process: three instances, with two at a time each. */
const containerRate = 6

/** The limits of Workers Paid for an operation. The rate is infinite if the operation does not use the resource. */
function limitsOf(usage: CostUsage): Limit[] {
  const { d1_busy, busiest, busiest_name, container_calls } = usage
  return [
    { name: 'one D1', rate: of(msPerSecond, d1_busy) },
    { name: `one ${busiest_name}`, rate: of(objectCallRate, busiest) },
    { name: 'containers', rate: container_calls > 0 ? containerRate : Number.POSITIVE_INFINITY },
  ].sort((a, b) => a.rate - b.rate)
}

const of = (allowed: number, used: number) => (used > 0 ? allowed / used : Number.POSITIVE_INFINITY)

/** The first limit that is reached at this growth, or undefined. */
export function limitAt(usage: CostUsage, growth: number): Limit | undefined {
  const [first] = limitsOf(usage)
  return first && first.rate <= base * growth ? first : undefined
}

/** Days at the base rate until a database reaches 10 GB; undefined if the operation adds no rows. */
export function daysOfDatabase({ d1_growth }: CostUsage): number | undefined {
  const gigabytes = 10e9
  return d1_growth > 0 ? gigabytes / (d1_growth * base * secondsPerDay) : undefined
}

/** Operations a day that Workers Free allows. */
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
