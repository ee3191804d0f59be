// Circuit breaker and adaptive rate limiter of each outlet of a delivery. An outlet is a channel, or `data_url` as the source
// of the recipients.
import { slowedDown, spedUp } from '#core/outlets/adaptive-rate'
import type { Channel, HeldReason } from '../contract.ts'
import { countIn } from './counts.ts'
import { allowed, nextAfter } from './rate.ts'
import type { LedgerHead } from './tables.ts'

/** Name of an outlet: a channel, or the source of the recipients. */
type OutletName = Channel | 'data_url'

/** The state of one outlet. Times are in milliseconds. */
type Outlet = {
  name: OutletName
  /**
   * Why the circuit is open, null if it is closed. While it is open, the outlet gets only one message (the probe) after each
   * backoff.
   */
  reason: HeldReason | null
  /** `attempts`: number of consecutive failed attempts. `next_at`: time of the next attempt. */
  attempts: number
  next_at: number
  /** `probe`: the attempt that is being made while the circuit is open. `probe_until`: end of its lease. */
  probe: string | null
  probe_until: number
  /** Number of consecutive messages with a lost outcome, or with a temporary error that may concern only their recipient. */
  lost: number
  /**
   * `rate`: messages per second after the outlet has throttled, null for no limit. `ceiling`: the rate at which it throttled.
   * `paced_at`: time of the next message.
   */
  rate: number | null
  ceiling: number | null
  paced_at: number
}

const backoffMs = [10_000, 60_000, 300_000, 900_000]

/** The backoff in milliseconds after this number of consecutive failed attempts. */
export const backoffAfter = (attempts: number): number => backoffMs[Math.min(attempts, backoffMs.length) - 1]!

/** After this many lost outcomes in a row the outlet is held: the cause is probably the outlet. */
const maxLostInRow = 5

/**
 * Number of messages that may be in progress before an outlet has accepted any. Later it is the number that the outlet has
 * accepted (slow start), so an outlet that fails gets few messages.
 */
const initialWindow = 5

const windowPollMs = 500

/** Names an attempt to send a message, so that an outlet recognizes the outcome of its probe. */
export const attemptOf = ({ id, claim }: { id: number; claim: number }): string => `${id}/${claim}`

/** All outlets of a delivery. A step reads them once, changes them in memory, and writes the changed ones with `save`. */
export class Outlets {
  readonly #sql: SqlStorage
  readonly #rows: Map<OutletName, Outlet>
  readonly #changed = new Set<Outlet>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
    const rows = sql.exec<Outlet>('SELECT * FROM outlets').toArray()
    this.#rows = new Map(rows.map((row) => [row.name, row]))
  }

  /** The held outlet with the earliest next attempt, which replies show. Undefined if none is held. */
  get held(): Outlet | undefined {
    return [...this.#rows.values()]
      .filter(({ reason }) => reason !== null)
      .toSorted((one, other) => one.next_at - other.next_at)[0]
  }

  /**
   * Holds the outlet (opens its circuit) after a failed attempt. Ignores attempts that began before the outlet was held, since
   * they would lengthen the backoff.
   */
  hold(name: OutletName, { reason, isThrottled }: OutletError, attempt: string, now: number): void {
    const outlet = this.#get(name)
    if (outlet.reason !== null && outlet.probe !== attempt) return
    const attempts = outlet.attempts + 1
    const next_at = now + backoffAfter(attempts)
    this.#set(outlet, {
      reason,
      attempts,
      next_at,
      probe: null,
      probe_until: 0,
      ...(isThrottled && { ...slowedDown(outlet), paced_at: 0 }),
    })
  }

  /**
   * Records that the outlet has replied. A reply to the probe closes the circuit. With `isAccepted` the outlet has accepted a
   * message, so its rate grows.
   */
  recordReply(name: OutletName, attempt: string, { isAccepted = false } = {}): void {
    const outlet = this.#rows.get(name)
    if (!outlet) return
    if (outlet.lost > 0) this.#set(outlet, { lost: 0 })
    if (isAccepted && outlet.rate !== null) {
      const faster = spedUp(outlet)
      this.#set(outlet, faster.rate === null ? { ...faster, paced_at: 0 } : faster)
    }
    if (outlet.reason !== null && outlet.probe === attempt)
      this.#set(outlet, { reason: null, attempts: 0, next_at: 0, probe: null, probe_until: 0 })
  }

  /**
   * Records a lost outcome, or an error that may concern only the recipient. Several in a row hold the outlet. If the probe has
   * this outcome, the outlet stays held.
   */
  recordLost(name: OutletName, reason: HeldReason, attempt: string, now: number): void {
    const outlet = this.#get(name)
    this.#set(outlet, { lost: outlet.lost + 1 })
    if (outlet.lost >= maxLostInRow || outlet.probe === attempt) this.hold(name, { reason }, attempt, now)
  }

  /** Ends a probe that made no request, so that another message can be the probe. */
  releaseProbe(name: OutletName, attempt: string): void {
    const outlet = this.#rows.get(name)
    if (outlet?.probe === attempt) this.#set(outlet, { probe: null, probe_until: 0 })
  }

  /** `room` is the number of messages of a channel that can be claimed now, `at` the time from which more can be claimed. */
  roomOf(head: LedgerHead, channel: Channel, now: number): { room: number; at: number } {
    const outlet = this.#rows.get(channel)
    const window = Math.max(initialWindow, countIn(head, ['sent'], channel)) - countIn(head, ['claimed'], channel)
    const at = outlet ? availableAt(outlet) : 0
    if (at > now) return { room: 0, at }
    if (outlet?.reason) return { room: 1, at: Number.POSITIVE_INFINITY }
    if (window <= 0) return { room: 0, at: now + windowPollMs }
    if (!outlet) return { room: window, at: now + windowPollMs }
    const room = Math.min(window, allowed(rateOf(outlet), now))
    return { room, at: Math.max(now, nextAfter(rateOf(outlet), room, now)) }
  }

  /**
   * For the planning of slices: the maximum number of messages that a channel accepts within a time in milliseconds, and the
   * time of the first one.
   */
  prospect(channel: Channel, now: number, milliseconds: number): { max: number; at: number } {
    const outlet = this.#rows.get(channel)
    if (!outlet) return { max: Number.POSITIVE_INFINITY, at: now }
    const at = availableAt(outlet)
    if (outlet.reason !== null) return { max: 1, at }
    const max = outlet.rate === null ? Number.POSITIVE_INFINITY : Math.ceil((outlet.rate * milliseconds) / 1_000)
    return { max, at }
  }

  /** Records that attempts begin: the first is the probe of a held outlet; otherwise they count for the outlet's rate. */
  begin(name: OutletName, attempts: string[], now: number, leaseMs = 0): void {
    const outlet = this.#rows.get(name)
    if (!outlet) return
    if (outlet.reason !== null) this.#set(outlet, { probe: attempts[0]!, probe_until: now + leaseMs })
    else if (outlet.rate !== null) this.#set(outlet, { paced_at: nextAfter(rateOf(outlet), attempts.length, now) })
  }

  /** The time from which the source of recipients can be called. During a probe, this is the end of the probe's lease. */
  sourceAt(now: number): number {
    const source = this.#rows.get('data_url')
    if (!source || source.reason === null) return now
    return source.probe === null ? source.next_at : source.probe_until
  }

  /** The time of the next attempt if the source of recipients is held, otherwise 0. */
  get sourceHeldUntil(): number {
    const source = this.#rows.get('data_url')
    return source && source.reason !== null ? source.next_at : 0
  }

  save(): void {
    for (const outlet of this.#changed) {
      const columns = Object.keys(outlet)
      this.#sql.exec(
        `INSERT OR REPLACE INTO outlets (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...Object.values(outlet),
      )
    }
    this.#changed.clear()
  }

  #get(name: OutletName): Outlet {
    return this.#rows.get(name) ?? { ...newOutlet, name }
  }

  #set(outlet: Outlet, changes: Partial<Outlet>): void {
    Object.assign(outlet, changes)
    this.#rows.set(outlet.name, outlet)
    this.#changed.add(outlet)
  }
}

/** An error because of which an outlet is held. */
interface OutletError {
  reason: HeldReason
  /** Whether the outlet throttles. If so, it is also sent fewer messages per second. */
  isThrottled?: boolean | undefined
}

const newOutlet = {
  ...{ reason: null, attempts: 0, next_at: 0, probe: null, probe_until: 0, lost: 0 },
  ...{ rate: null, ceiling: null, paced_at: 0 },
}

const rateOf = ({ rate, paced_at }: Outlet) => ({ max_per_second: rate, next_at: paced_at })

/** The time from which messages can be sent through the outlet. During a probe, none can be sent. */
function availableAt({ reason, probe, next_at, rate, paced_at }: Outlet): number {
  if (reason !== null) return probe === null ? next_at : Number.POSITIVE_INFINITY
  return rate === null ? 0 : paced_at
}

/** Makes the next attempt of all held outlets due now, and that of the pieces that wait for the source of recipients. */
export function probeOutlets(sql: SqlStorage, now: number): void {
  sql.exec(
    `UPDATE pieces SET at = ?1 WHERE state = 'waiting' AND outages > 0 AND at > ?1
       AND EXISTS (SELECT 1 FROM outlets WHERE name = 'data_url' AND reason IS NOT NULL)`,
    now,
  )
  sql.exec('UPDATE outlets SET next_at = ? WHERE reason IS NOT NULL AND next_at > ?', now, now)
}

/** Deletes the state of these outlets, or of all: the circuits are closed and have no rate limit then. */
export function deleteOutlets(sql: SqlStorage, names?: readonly OutletName[]): void {
  if (!names) sql.exec('DELETE FROM outlets')
  for (const name of names ?? []) sql.exec('DELETE FROM outlets WHERE name = ?', name)
}
