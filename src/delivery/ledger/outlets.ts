import type { Channel, HeldReason } from '../contract.ts'
import { countIn } from './counts.ts'
import { allowed, nextAfter } from './rate.ts'
import type { LedgerHead } from './tables.ts'

/** What a delivery depends on: the source of its recipients, and one outlet for each channel. */
type OutletName = Channel | 'data_url'

/** The state of one outlet; times in milliseconds. */
type Outlet = {
  name: OutletName
  /** Why the outlet is held: nothing is given to it but one probe after each back-off. */
  reason: HeldReason | null
  /** Attempts in a row that failed, and when the next one may begin. */
  attempts: number
  next_at: number
  /** The attempt that is under way while the outlet is held, and until when it may be. */
  probe: string | null
  probe_until: number
  /** Messages in a row whose outcome was lost, or refused for now for what may be their recipient's fault. */
  lost: number
  /** Messages per second after the outlet has throttled; the rate at which it did; when the next message may go. */
  rate: number | null
  ceiling: number | null
  paced_at: number
}

const backoffMs = [10_000, 60_000, 300_000, 900_000]

/** The pause after so many failed attempts in a row. */
export const backoffAfter = (attempts: number): number => backoffMs[Math.min(attempts, backoffMs.length) - 1]!

/** So many of these in a row hold an outlet. */
const maxLostInRow = 5

/** Messages under way at a time before an outlet has taken any; later as many as it has taken (slow start). */
const firstWindow = 5

const windowPollMs = 500

/**
 * Additive increase, multiplicative decrease (RFC 5681 has it for TCP): a throttled outlet gets half its rate, from which
 * the rate grows fast up to a share of where it was throttled, and slowly from there on.
 */
const pacing = { first: 4, floor: 0.05, unlimited: 1_000, decrease: 0.5, fast: 1.05, slow: 1.001, slowFrom: 0.8 }

/** The name of a claim as an outlet knows it. */
export const attemptOf = ({ id, claim }: { id: number; claim: number }): string => `${id}/${claim}`

/** All outlets of a delivery, read once for a step; `save` writes those that have changed. */
export class Outlets {
  readonly #sql: SqlStorage
  readonly #rows: Map<OutletName, Outlet>
  readonly #changed = new Set<Outlet>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
    const rows = sql.exec<Outlet>('SELECT * FROM outlets').toArray()
    this.#rows = new Map(rows.map((row) => [row.name, row]))
  }

  /** The held outlet whose next attempt comes first. */
  get held(): Outlet | undefined {
    return [...this.#rows.values()]
      .filter(({ reason }) => reason !== null)
      .toSorted((one, other) => one.next_at - other.next_at)[0]
  }

  /** The outlet did not take an attempt: it is held, unless that attempt began before it was. */
  hold(name: OutletName, { reason, isThrottled }: Refusal, attempt: string, now: number): void {
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
      ...(isThrottled && slowedDown(outlet)),
    })
  }

  /** The outlet has answered: a probe ends the hold. With `isTaken` it has taken a message, and may get them faster. */
  reach(name: OutletName, attempt: string, { isTaken = false } = {}): void {
    const outlet = this.#rows.get(name)
    if (!outlet) return
    if (outlet.lost > 0) this.#set(outlet, { lost: 0 })
    if (isTaken && outlet.rate !== null) this.#set(outlet, spedUp(outlet.rate, outlet.ceiling))
    if (outlet.reason !== null && outlet.probe === attempt)
      this.#set(outlet, { reason: null, attempts: 0, next_at: 0, probe: null, probe_until: 0 })
  }

  /**
   * Nobody knows whether the outlet took a message, or whether a refusal concerns more than its recipient: several in a row
   * hold the outlet, and a probe keeps it held.
   */
  lose(name: OutletName, reason: HeldReason, attempt: string, now: number): void {
    const outlet = this.#get(name)
    this.#set(outlet, { lost: outlet.lost + 1 })
    if (outlet.lost >= maxLostInRow || outlet.probe === attempt) this.hold(name, { reason }, attempt, now)
  }

  /** An attempt has ended without asking the outlet. */
  drop(name: OutletName, attempt: string): void {
    const outlet = this.#rows.get(name)
    if (outlet?.probe === attempt) this.#set(outlet, { probe: null, probe_until: 0 })
  }

  /** How many messages of a channel may be claimed now, and when more may be; a head knows what is under way. */
  roomOf(head: LedgerHead, channel: Channel, now: number): { room: number; at: number } {
    const outlet = this.#rows.get(channel)
    const window = Math.max(firstWindow, countIn(head, ['sent'], channel)) - countIn(head, ['claimed'], channel)
    const at = outlet ? availableAt(outlet) : 0
    if (at > now) return { room: 0, at }
    if (outlet?.reason) return { room: 1, at: Number.POSITIVE_INFINITY }
    if (window <= 0) return { room: 0, at: now + windowPollMs }
    if (!outlet) return { room: window, at: now + windowPollMs }
    const room = Math.min(window, allowed(rateOf(outlet), now))
    return { room, at: Math.max(now, nextAfter(rateOf(outlet), room, now)) }
  }

  /** How many messages of a channel may be sent within so many milliseconds, and when the first one may be. */
  prospect(channel: Channel, now: number, milliseconds: number): { most: number; at: number } {
    const outlet = this.#rows.get(channel)
    if (!outlet) return { most: Number.POSITIVE_INFINITY, at: now }
    const at = availableAt(outlet)
    if (outlet.reason !== null) return { most: 1, at }
    const most = outlet.rate === null ? Number.POSITIVE_INFINITY : Math.ceil((outlet.rate * milliseconds) / 1_000)
    return { most, at }
  }

  /** A claim: the probe of an outlet that is held, or one of those that a rate allows. */
  begin(name: OutletName, attempts: string[], now: number, leaseMs = 0): void {
    const outlet = this.#rows.get(name)
    if (!outlet) return
    if (outlet.reason !== null) this.#set(outlet, { probe: attempts[0]!, probe_until: now + leaseMs })
    else if (outlet.rate !== null) this.#set(outlet, { paced_at: nextAfter(rateOf(outlet), attempts.length, now) })
  }

  /** When the source of recipients may be asked; while a probe is under way, when its lease ends. */
  sourceAt(now: number): number {
    const source = this.#rows.get('data_url')
    if (!source || source.reason === null) return now
    return source.probe === null ? source.next_at : source.probe_until
  }

  /** When the source of recipients may be asked again, whoever asks. */
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
    return this.#rows.get(name) ?? { ...fresh, name }
  }

  #set(outlet: Outlet, changes: Partial<Outlet>): void {
    Object.assign(outlet, changes)
    this.#rows.set(outlet.name, outlet)
    this.#changed.add(outlet)
  }
}

/** Why an outlet did not take something. */
interface Refusal {
  reason: HeldReason
  /** It takes messages, but fewer per second. */
  isThrottled?: boolean | undefined
}

const fresh = {
  ...{ reason: null, attempts: 0, next_at: 0, probe: null, probe_until: 0, lost: 0 },
  ...{ rate: null, ceiling: null, paced_at: 0 },
}

const rateOf = ({ rate, paced_at }: Outlet) => ({ max_per_second: rate, next_at: paced_at })

/** While a probe is under way nothing else is, until it ends. */
function availableAt({ reason, probe, next_at, rate, paced_at }: Outlet): number {
  if (reason !== null) return probe === null ? next_at : Number.POSITIVE_INFINITY
  return rate === null ? 0 : paced_at
}

const slowedDown = ({ rate }: Outlet): Partial<Outlet> =>
  rate === null
    ? { rate: pacing.first, ceiling: null, paced_at: 0 }
    : { rate: Math.max(pacing.floor, rate * pacing.decrease), ceiling: rate, paced_at: 0 }

function spedUp(rate: number, ceiling: number | null): Partial<Outlet> {
  const isSlow = ceiling !== null && rate >= ceiling * pacing.slowFrom
  const next = rate * (isSlow ? pacing.slow : pacing.fast)
  return next >= pacing.unlimited ? { rate: null, ceiling: null, paced_at: 0 } : { rate: next }
}

/** Lets every held outlet be tried at once, with the pieces that wait for the source of recipients. */
export function tryOutlets(sql: SqlStorage, now: number): void {
  sql.exec(
    `UPDATE pieces SET at = ?1 WHERE state = 'waiting' AND outages > 0 AND at > ?1
       AND EXISTS (SELECT 1 FROM outlets WHERE name = 'data_url' AND reason IS NOT NULL)`,
    now,
  )
  sql.exec('UPDATE outlets SET next_at = ? WHERE reason IS NOT NULL AND next_at > ?', now, now)
}

/** Forgets the state of outlets that nothing goes to any more: of some, or of all. */
export function forgetOutlets(sql: SqlStorage, names?: readonly OutletName[]): void {
  if (!names) sql.exec('DELETE FROM outlets')
  for (const name of names ?? []) sql.exec('DELETE FROM outlets WHERE name = ?', name)
}
