import type { DeliveryStatus, HeldReason, Report } from '../contract.ts'
import type { Definition } from '../definition.ts'
import { type Claims, claim, type Held, renewClaims } from './claims.ts'
import { reportOf } from './counts.ts'
import { progressOf, readHead } from './head.ts'
import type { KeyRetention } from './keys.ts'
import { Outlets } from './outlets.ts'
import { type Settled, settle } from './settling.ts'
import { hasSlice } from './slices.ts'
import { inStep } from './step.ts'
import type { LedgerHead } from './tables.ts'

/** Where a delivery stands. */
export interface View extends Hold {
  status: DeliveryStatus
  paused: boolean
  progress: number
  report: Report
}

/** Whether a delivery waits for something that it depends on. */
interface Hold {
  held: boolean
  held_reason: HeldReason | null
  next_attempt_at: Date | null
}

/** What a slice says of messages that it has claimed, and how many more it has room for. */
export interface Turn {
  slice: number
  settled: Settled[]
  /** Those that are still under way, now and then: their claims are renewed. */
  held: Held[]
  most: number
  /** Of the definition that it knows; 0 for none. */
  version: number
}

/** The definition where the slice does not know it. */
export type Turned = Claims & { definition?: Definition }

export const noTurn: Turned = { messages: [], version: 0, wait: undefined, isLate: false }

/** Records what a slice has done, and claims more for it. */
export const takeTurn = (
  sql: SqlStorage,
  { slice, settled, held, most }: Turn,
  keysMs: KeyRetention,
  now: number,
): Claims | undefined =>
  inStep(sql, now, (head, closed) => {
    settle(sql, head, closed, settled, now)
    renewClaims(sql, held, now)
    return hasSlice(sql, slice) ? claim(sql, { head, closed }, { most, keysMs }, now) : noTurn
  })

export const noHold: Hold = { held: false, held_reason: null, next_attempt_at: null }

/** Whether a delivery is held; one that has ended never is. */
export function holdOf(sql: SqlStorage, { status }: Pick<LedgerHead, 'status'>): Hold {
  const held = status === 'started' ? new Outlets(sql).held : undefined
  return held ? { held: true, held_reason: held.reason, next_attempt_at: new Date(held.next_at) } : noHold
}

/** Where a delivery stands; nothing where the ledger has none. */
export function viewBooks(sql: SqlStorage): View | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const { status, is_paused } = head
  return {
    ...{ status, paused: is_paused === 1, progress: progressOf(head), report: reportOf(head) },
    ...holdOf(sql, head),
  }
}
