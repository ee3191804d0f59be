// Circuit breakers for the handlers and webhooks of the bus, stored in the database so that all requests share them.
import { and, asc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { probeDelayMs, withJitter } from '#core/circuit'
import type { OpenCircuit } from './contract.ts'
import { idsIn } from './id-list.ts'
import type { Bus } from './schema.ts'
import { leaseMs } from './timeouts.ts'

/**
 * A circuit breaker per destination: the handler of a collection, or the origin of its documents' webhooks. It exists only
 * from a destination's first failure to its next answer. As long as it exists, one call at a time probes the destination,
 * and the other documents are deferred, so that a dead destination does not hold the queue's daemons.
 */
interface Destination {
  collection: number
  /** The origin of a webhook or a subscriber; empty for the collection's handler. */
  origin: string
}

export interface Circuit {
  /** Consecutive failures. */
  failures: number
  /** Time of the first of these failures. */
  opened_at: Date
  /** No probe begins before this time. */
  probe_at: Date
}

/** Milliseconds from the n-th consecutive failure to the next probe. */
const probeDelaysMs = [0, 0, 10_000, 60_000, 300_000]

/** Maximum number of concurrent probes of all collections: a quarter of the 32 daemons, since each may wait for a dead destination. */
const maxProbes = 8

/** The circuit of a destination without calls for this time is deleted: no document waits for it any more. */
const idleCircuitMs = 7 * 86_400_000

/** A circuit's columns, for a query that joins it. */
export const circuitColumns = ({ failures, opened_at, probe_at }: Bus['circuits']) => ({
  failures,
  opened_at,
  probe_at,
})

export const isOf = ({ circuits }: Bus, { collection, origin }: Destination) =>
  and(eq(circuits.collection, collection), eq(circuits.origin, origin))

export async function findCircuit(bus: Bus, destination: Destination): Promise<Circuit | undefined> {
  const { db, circuits } = bus
  const [found] = await db.select(circuitColumns(circuits)).from(circuits).where(isOf(bus, destination))
  return found
}

/** Whether a call may probe the destination now. The probe ends with `recordFailure` or `closeCircuit`, or with its lease. */
async function takeProbe(bus: Bus, destination: Destination, now: Date): Promise<boolean> {
  const { db, circuits } = bus
  const { probe_at, probing_until } = circuits
  const nowSql = sql.param(now, probing_until)
  const underWay = sql`(SELECT count(*) FROM ${circuits} other WHERE other.probing_until > ${nowSql})`
  const isIdle = or(isNull(probing_until), lte(probing_until, now))
  const taken = await db
    .update(circuits)
    .set({ probing_until: new Date(now.getTime() + leaseMs) })
    .where(and(isOf(bus, destination), lte(probe_at, now), isIdle, sql`${underWay} < ${maxProbes}`))
    .returning({ collection: circuits.collection })
  return taken.length > 0
}

/** Whether a destination may be called now: its circuit is closed, or this call is the probe. */
export async function mayCall(bus: Bus, destination: Destination, circuit: Circuit | undefined): Promise<boolean> {
  const now = new Date()
  return !circuit || (circuit.probe_at <= now && (await takeProbe(bus, destination, now)))
}

/** The outcome of a call, for the circuit of its destination. */
interface CallResult {
  isUnavailable: boolean
  retryAfterMs: number
}

/** Opens or closes the circuit of a destination after a call. */
export async function updateCircuit(
  bus: Bus,
  destination: Destination,
  circuit: Circuit | undefined,
  { isUnavailable, retryAfterMs }: CallResult,
): Promise<void> {
  if (isUnavailable) await recordFailure(bus, destination, circuit, retryAfterMs)
  else if (circuit) await closeCircuit(bus, destination)
}

/** Counts a failure, and sets the time of the next probe: by the number of failures, not before `retryAfterMs`. */
async function recordFailure(
  { db, circuits }: Bus,
  destination: Destination,
  known: Circuit | undefined,
  retryAfterMs: number,
): Promise<void> {
  const now = new Date()
  const delayMs = probeDelayMs(probeDelaysMs, (known?.failures ?? 0) + 1)
  const probe_at = new Date(now.getTime() + Math.max(withJitter(delayMs), retryAfterMs))
  await db
    .insert(circuits)
    .values({ ...destination, failures: 1, opened_at: now, probe_at })
    .onConflictDoUpdate({
      target: [circuits.collection, circuits.origin],
      set: { failures: sql`${circuits.failures} + 1`, probe_at, probing_until: null },
    })
}

/** Closes the circuit: the destination has answered. */
export const closeCircuit = (bus: Bus, destination: Destination) =>
  bus.db.delete(bus.circuits).where(isOf(bus, destination))

/** Closes the circuits of an origin in all collections. */
export const closeCircuitsOf = ({ db, circuits }: Bus, origin: string) =>
  db.delete(circuits).where(eq(circuits.origin, origin))

/** The origin of a subscriber, by the id of its subscription. No URL has such an origin. */
export const subscriberOrigin = (subscription: string) => `subscription/${subscription}`

/** The state of a circuit, in the terms of the API. */
export const circuitStateOf = (circuit: Circuit | null | undefined, now: Date) =>
  circuit ? (circuit.probe_at <= now ? 'half_open' : 'open') : 'closed'

/** Open circuits that a page of collections shows, for each collection and in total. */
const maxShown = { each: 20, total: 1_000 }

/** The circuits of some collections that are not closed, by the collection's id, those that opened first at the front. */
export async function listCircuits(bus: Bus, collections: number[], now: Date): Promise<Map<number, OpenCircuit[]>> {
  const { db, circuits } = bus
  const rows = await db
    .select()
    .from(circuits)
    .where(sql`${circuits.collection} IN (${idsIn(bus, JSON.stringify(collections))})`)
    .orderBy(asc(circuits.opened_at))
    .limit(maxShown.total)
  const open = new Map<number, OpenCircuit[]>()
  for (const { collection, origin, failures, opened_at, probe_at } of rows) {
    const state = probe_at <= now ? 'half_open' : 'open'
    const shown = open.get(collection) ?? []
    open.set(collection, shown)
    if (shown.length < maxShown.each)
      shown.push({ destination: origin || 'handler', state, failures, opened_at, probe_at })
  }
  return open
}

/** Lets a collection's destinations be probed at once, and restarts the time after which their documents fail. */
export const resetCircuits = ({ db, circuits }: Bus, collection: number, now: Date) =>
  db.update(circuits).set({ probe_at: now, opened_at: now }).where(eq(circuits.collection, collection))

/** Deletes the circuits of a collection. */
export const deleteCircuits = ({ db, circuits }: Bus, collection: number) =>
  db.delete(circuits).where(eq(circuits.collection, collection))

/** Deletes the circuits of destinations that were not called for a week. */
export const deleteIdleCircuits = ({ db, circuits }: Bus, now: Date) =>
  db.delete(circuits).where(lt(circuits.probe_at, new Date(now.getTime() - idleCircuitMs)))

const minDeferralMs = 2_000
const maxDeferralMs = 900_000

/**
 * Milliseconds until a document that could not be sent is due again: not before the next probe, and about as long as the
 * destination has been failing. The longer a destination is down, the less often its waiting documents cost a task of the queue.
 */
export function deferralMs({ opened_at, probe_at }: Circuit, now: Date): number {
  const failingMs = now.getTime() - opened_at.getTime()
  const byAge = Math.min(Math.max(failingMs, minDeferralMs), maxDeferralMs)
  return withJitter(Math.max(byAge, probe_at.getTime() - now.getTime()))
}
