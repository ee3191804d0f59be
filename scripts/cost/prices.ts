// Cloudflare's prices in dollars, for the cost measurement. No other file has prices.

/** Date of the newest price page that these prices were taken from. */
export const asOf = '2026-08-03'

/** The billed use of one operation, or of many together. */
export interface BilledUsage {
  requests: number
  cpu_ms: number
  d1_read: number
  d1_written: number
  object_requests: number
  /** Memory of durable objects while they are active. */
  gb_s: number
  object_read: number
  object_written: number
  r2_a: number
  r2_b: number
  log_events: number
  vcpu_s: number
  /** Memory and disk of containers while they run. */
  container_gib_s: number
  container_gb_s: number
}

interface Price {
  /** The key of the usage that is billed. */
  key: keyof BilledUsage
  of: string
  /** Price of a million units beyond the included amount. */
  perMillion: number
  /** Units a month that Workers Paid includes. */
  included: number
  /** Amount of Workers Free; requests beyond it fail, and of log events 1 % are stored. */
  free: string
  source: string
}

const workers = 'https://developers.cloudflare.com/workers/platform/pricing/'
const d1 = 'https://developers.cloudflare.com/d1/platform/pricing/'
const objects = 'https://developers.cloudflare.com/durable-objects/platform/pricing/'
const r2 = 'https://developers.cloudflare.com/r2/pricing/'
const containers = 'https://developers.cloudflare.com/containers/pricing/'
const logs = `${workers}#workers-logs`

const million = 1e6
const billion = 1e9

const price = (key: keyof BilledUsage, of: string, perMillion: number, included: number, free: string, source: string): Price => ({ key, of, perMillion, included, free, source }) // biome-ignore format: one line

export const prices: Price[] = [
  price('requests', 'Worker requests', 0.3, 10 * million, '100 000 a day', workers),
  price('cpu_ms', 'Worker CPU ms', 0.02, 30 * million, '10 ms a request', workers),
  price('d1_read', 'D1 rows read', 0.001, 25 * billion, '5 million a day', d1),
  price('d1_written', 'D1 rows written', 1, 50 * million, '100 000 a day', d1),
  price('object_requests', 'object requests', 0.15, million, '100 000 a day', objects),
  price('gb_s', 'object GB-s', 12.5, 400_000, '13 000 a day', objects),
  price('object_read', 'object rows read', 0.001, 25 * billion, '5 million a day', objects),
  price('object_written', 'object rows written', 1, 50 * million, '100 000 a day', objects),
  price('r2_a', 'R2 class A', 4.5, million, '1 million a month', r2),
  price('r2_b', 'R2 class B', 0.36, 10 * million, '10 million a month', r2),
  price('vcpu_s', 'container vCPU-s', 20, 375 * 60, 'none', containers),
  price('container_gib_s', 'container memory GiB-s', 2.5, 25 * 3_600, 'none', containers),
  price('container_gb_s', 'container disk GB-s', 0.07, 200 * 3_600, 'none', containers),
  price('log_events', 'log events', 0.6, 20 * million, '200 000 a day', logs),
]

/** Prices of a stored gigabyte and month, and the gigabytes that Workers Paid includes. */
export const storagePrices = {
  d1: { of: 'D1 storage, GB', perGigabyte: 0.75, included: 5 },
  r2: { of: 'R2 storage, GB', perGigabyte: 0.015, included: 10 },
}

/** The subscription of Workers Paid, a month. */
export const subscription = 5

/** Price of a million operations beyond the included amounts, without logs and storage. */
export const dollarsPerMillion = (usage: BilledUsage) => sum(usage, (key) => key !== 'log_events')

/** The same with logs. */
export const dollarsWithLogs = (usage: BilledUsage) => sum(usage, () => true)

const sum = (usage: BilledUsage, isCounted: (key: keyof BilledUsage) => boolean) =>
  prices.reduce((total, { key, perMillion }) => total + (isCounted(key) ? perMillion * usage[key] : 0), 0)
