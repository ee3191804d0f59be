// Computes the usage of one operation from two readings of the meters: all resources that are billed or limited.
import { timeOf } from './container.ts'
import type { MeterCounts, Metered } from './meter/counts.ts'
import type { BilledUsage } from './prices.ts'

export interface CostUsage extends Omit<MeterCounts, 'd1_bytes' | 'fetched' | 'bound' | 'logged'>, BilledUsage {
  /** Calls of containers, each through the object in front of the container. */
  container_calls: number
  /** Requests to other systems, such as handlers, webhooks and providers. */
  outside: number
  /** All calls of Workers to other services and storage, which Cloudflare limits per request. */
  subrequests: number
  /** Bytes by which the operation grows the database, if `prepare` measured that; else 0. */
  d1_growth: number
  /** Seconds until the reply if the operation uses a container, else 0. */
  container_s: number
  /** Milliseconds in which the busiest D1 database is busy, at least one per statement. */
  d1_busy: number
  /**
   * Calls of the durable object that all operations share, and the name of its namespace. 0 if each operation calls
   * another object.
   */
  busiest: number
  busiest_name: string
}

/** The usage of all components between two readings, per operation. */
export function usageOf(
  before: Metered[],
  after: Metered[],
  { times, callerRequests, cpu, containerCpu, elapsed }: Round,
  places: Places,
): CostUsage {
  const spent = after.map((one, i) => difference(one, before[i]!))
  const sum = (key: keyof MeterCounts) => spent.reduce((total, { counts }) => total + counts[key], 0) / times
  const called = spent.flatMap(({ calls }) => Object.entries(calls))
  const to = (matches: (place: string) => boolean) =>
    called.reduce((total, [place, count]) => total + (matches(place) ? count : 0), 0) / times
  const isOwn = (place: string) => place.startsWith(places.own)
  const isContainer = (place: string) => places.containers.some((origin) => place.startsWith(origin))
  const [hops, container_calls] = [to(isOwn), to(isContainer)]
  const r2 = sum('r2_a') + sum('r2_b')
  const [busiest_name, busiest] = sharedObject(spent.flatMap(({ busy }) => Object.entries(busy)))
  const { fetched, bound, logged, d1_bytes: _, ...counted } = mapOf(sum)
  const requests = callerRequests / times + hops
  const object_requests = counted.object_requests + counted.alarms + container_calls
  const container_s = container_calls > 0 ? elapsed / 1_000 / times : 0
  return {
    ...counted,
    requests,
    gb_s: (counted.object_ms / 1_000) * objectGigabytes,
    // One event for each invocation: of the gateway, of a component, of the Worker in front of a container, of an object.
    log_events: requests + counted.invocations + container_calls + object_requests + logged,
    vcpu_s: container_calls > 0 ? containerCpu / 1_000 / times : 0,
    container_s,
    ...timeOf(container_s),
    container_calls,
    outside: to((place) => !isOwn(place) && !isContainer(place)),
    subrequests: fetched + bound + sum('d1_calls') + sum('object_requests') + r2,
    object_requests,
    d1_growth: 0,
    d1_busy:
      Math.max(...spent.map(({ counts: { d1_ms, d1_calls } }) => Math.max(d1_ms, d1_calls * minStatementMs))) / times,
    cpu_ms: cpu / times,
    busiest: busiest / times,
    busiest_name,
  }
}

/** Memory in gigabytes that an active object is billed for. */
const objectGigabytes = 0.128

/** Minimum duration of a statement on D1, in milliseconds: https://developers.cloudflare.com/d1/platform/limits/ */
const minStatementMs = 1

/**
 * The durable object with the most calls, if it gets most of the calls of its namespace: traffic cannot be spread over
 * several objects.
 */
function sharedObject(called: [name: string, count: number][]): [namespace: string, count: number] {
  const totals = new Map<string, number>()
  const namespaceOf = (name: string) => name.split(' ')[0]!
  for (const [name, count] of called) totals.set(namespaceOf(name), (totals.get(namespaceOf(name)) ?? 0) + count)
  return called
    .filter(([name, count]) => count > totals.get(namespaceOf(name))! / 2)
    .reduce((max, [name, count]) => (count > max[1] ? [namespaceOf(name), count] : max), ['', 0] as [string, number])
}

/** A series of equal operations. */
interface Round {
  times: number
  /** Requests of the caller. */
  callerRequests: number
  /** CPU time of the runtime in milliseconds: of D1, the objects and all Workers. */
  cpu: number
  /** CPU time of the containers and their programs in milliseconds. */
  containerCpu: number
  /** Time until the reply in milliseconds. */
  elapsed: number
}

/** Addresses that separate the calls: those of the stack, and those of the containers. */
export interface Places {
  own: string
  containers: string[]
}

function difference(after: Metered, before: Metered): Metered {
  const less = (a: Record<string, number>, b: Record<string, number>) =>
    Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value - (b[key] ?? 0)]))
  return {
    open: after.open,
    counts: less({ ...after.counts }, { ...before.counts }) as unknown as MeterCounts, // Both objects have the same keys.
    busy: less(after.busy, before.busy),
    calls: less(after.calls, before.calls),
  }
}

const keys: (keyof MeterCounts)[] = ['invocations', 'logged', 'bound', 'fetched', 'd1_calls', 'd1_read', 'd1_written', 'd1_ms', 'd1_bytes', 'object_requests', 'alarms', 'object_read', 'object_written', 'object_ms', 'r2_a', 'r2_b', 'r2_bytes_in', 'r2_bytes_out'] // biome-ignore format: one line

const mapOf = (sum: (key: keyof MeterCounts) => number) =>
  Object.fromEntries(keys.map((key) => [key, sum(key)])) as unknown as MeterCounts // The sum has all keys.
