// Cloudflare's prices in dollars, for the cost measurement. No other file has prices.
import type { CostUsage } from './usage.ts'

/** Date of the newest price page that these prices were taken from. */
export const asOf = '2026-08-03'

interface Price {
  of: string
  /** Price of a million units beyond the included amount. */
  perMillion: number
  /** Monthly amount that Workers Paid includes, as text. */
  included: string
  /** Amount of Workers Free, as text; requests beyond it fail. */
  free: string
  source: string
  /** Number of billed units that an operation uses. */
  amount(usage: CostUsage): number
}

const workers = 'https://developers.cloudflare.com/workers/platform/pricing/'
const d1 = 'https://developers.cloudflare.com/d1/platform/pricing/'
const objects = 'https://developers.cloudflare.com/durable-objects/platform/pricing/'
const r2 = 'https://developers.cloudflare.com/r2/pricing/'

/** Memory in gigabytes for which an active durable object is billed. */
const objectMemory = 0.128

/** Gigabyte-seconds of durable objects, the unit in which their active time is billed. */
export const gigabyteSeconds = ({ object_ms }: CostUsage) => (object_ms / 1_000) * objectMemory

const price = (of: string, perMillion: number, included: string, free: string, source: string, amount: (usage: CostUsage) => number): Price => ({ of, perMillion, included, free, source, amount }) // biome-ignore format: one line

export const prices: Price[] = [
  price('Worker requests', 0.3, '10 million', '100 000 a day', workers, ({ requests }) => requests),
  price('Worker CPU ms', 0.02, '30 million', '10 ms a request', workers, ({ cpu_ms }) => cpu_ms),
  price('D1 rows read', 0.001, '25 billion', '5 million a day', d1, ({ d1_read }) => d1_read),
  price('D1 rows written', 1, '50 million', '100 000 a day', d1, ({ d1_written }) => d1_written),
  price('object requests', 0.15, '1 million', '100 000 a day', objects, ({ object_requests }) => object_requests),
  price('object GB-s', 12.5, '400 000', '13 000 a day', objects, gigabyteSeconds),
  price('object rows read', 0.001, '25 billion', '5 million a day', objects, ({ object_read }) => object_read),
  price('object rows written', 1, '50 million', '100 000 a day', objects, ({ object_written }) => object_written),
  price('R2 class A', 4.5, '1 million', '1 million a month', r2, ({ r2_a }) => r2_a),
  price('R2 class B', 0.36, '10 million', '10 million a month', r2, ({ r2_b }) => r2_b),
]

/** Price of a million operations beyond the included amounts, without containers and storage. */
export const dollarsPerMillion = (usage: CostUsage) =>
  prices.reduce((sum, { perMillion, amount }) => sum + perMillion * amount(usage), 0)
