// What one operation uses, of everything that costs or has a limit.
import type { MeterCounts, Metered } from './meter/counts.ts'

export interface CostUsage extends Omit<MeterCounts, 'd1_bytes' | 'fetched' | 'bound'> {
  /** Requests that are paid for: the caller's, and those by which components call each other over their public addresses. */
  requests: number
  /** Calls of a container, each through the object that fronts it. */
  container_calls: number
  /** Requests to others: handlers, webhooks, gateways. */
  outside: number
  /** Everything that a Worker asks of anything else. */
  subrequests: number
  /** Bytes that the database grows by, where it was filled by the operation; else 0. */
  d1_growth: number
  /** Milliseconds that the whole runtime has worked until the reply, D1 and objects included: an upper bound. */
  cpu_ms: number
  /** Milliseconds that the busiest of the databases takes, a call for one at the least. */
  d1_busy: number
  /** Calls of the object that each of the operations calls, and its namespace; none where each calls another. */
  busiest: number
  busiest_name: string
}

/** What all components together have used between two readings, for each of so many operations. */
export function usageOf(before: Metered[], after: Metered[], { times, asked, cpu }: Round, places: Places): CostUsage {
  const spent = after.map((one, i) => difference(one, before[i]!))
  const sum = (key: keyof MeterCounts) => spent.reduce((total, { counts }) => total + counts[key], 0) / times
  const called = spent.flatMap(({ calls }) => Object.entries(calls))
  const to = (isIt: (place: string) => boolean) =>
    called.reduce((total, [place, count]) => total + (isIt(place) ? count : 0), 0) / times
  const isOwn = (place: string) => place.startsWith(places.own)
  const isContainer = (place: string) => places.containers.some((origin) => place.startsWith(origin))
  const [hops, container_calls] = [to(isOwn), to(isContainer)]
  const r2 = sum('r2_a') + sum('r2_b')
  const [busiest_name, busiest] = sharedObject(spent.flatMap(({ busy }) => Object.entries(busy)))
  const { fetched, bound, d1_bytes: _, ...counted } = mapOf(sum)
  return {
    ...counted,
    requests: asked / times + hops,
    container_calls,
    outside: to((place) => !isOwn(place) && !isContainer(place)),
    subrequests: fetched + bound + sum('d1_calls') + sum('object_requests') + r2,
    object_requests: counted.object_requests + counted.alarms + container_calls,
    d1_growth: 0,
    d1_busy: Math.max(...spent.map(({ counts: { d1_ms, d1_calls } }) => Math.max(d1_ms, d1_calls * statement))) / times,
    cpu_ms: cpu / times,
    busiest: busiest / times,
    busiest_name,
  }
}

/** Milliseconds that a statement takes on D1 at the least: https://developers.cloudflare.com/d1/platform/limits/ */
const statement = 1

/** Of all objects that have most of the calls in their namespace, the one with the most calls. */
function sharedObject(called: [name: string, count: number][]): [namespace: string, count: number] {
  const totals = new Map<string, number>()
  const namespaceOf = (name: string) => name.split(' ')[0]!
  for (const [name, count] of called) totals.set(namespaceOf(name), (totals.get(namespaceOf(name)) ?? 0) + count)
  return called
    .filter(([name, count]) => count > totals.get(namespaceOf(name))! / 2)
    .reduce((most, [name, count]) => (count > most[1] ? [namespaceOf(name), count] : most), ['', 0] as [string, number])
}

/** Several operations of a kind. */
interface Round {
  times: number
  /** Requests that the caller has made for all of them. */
  asked: number
  /** Milliseconds that the runtime has worked. */
  cpu: number
}

/** Where calls go: addresses of the stack itself, and of what runs in containers. */
export interface Places {
  own: string
  containers: string[]
}

function difference(after: Metered, before: Metered): Metered {
  const less = (a: Record<string, number>, b: Record<string, number>) =>
    Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value - (b[key] ?? 0)]))
  return {
    open: after.open,
    counts: less({ ...after.counts }, { ...before.counts }) as unknown as MeterCounts, // The keys are the same.
    busy: less(after.busy, before.busy),
    calls: less(after.calls, before.calls),
  }
}

const keys: (keyof MeterCounts)[] = ['invocations', 'bound', 'fetched', 'd1_calls', 'd1_read', 'd1_written', 'd1_ms', 'd1_bytes', 'object_requests', 'alarms', 'object_read', 'object_written', 'object_ms', 'r2_a', 'r2_b', 'r2_bytes_in', 'r2_bytes_out'] // biome-ignore format: one line

const mapOf = (sum: (key: keyof MeterCounts) => number) =>
  Object.fromEntries(keys.map((key) => [key, sum(key)])) as unknown as MeterCounts // All keys are there.
