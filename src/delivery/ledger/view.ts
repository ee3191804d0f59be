// Reads the state of a delivery from its ledger, the durable object with its pieces and messages, in the form in which `GET
// /delivery` shows it.
import type { DeliveryStatus, HeldReason, Report } from '../contract.ts'
import { reportOf } from './counts.ts'
import { progressOf, readHead } from './head.ts'
import { Outlets } from './outlets.ts'
import type { LedgerHead } from './tables.ts'

export interface View extends Hold {
  status: DeliveryStatus
  paused: boolean
  progress: number
  report: Report
}

/** Whether and why a delivery waits for an outlet, and when the next attempt is. */
interface Hold {
  held: boolean
  held_reason: HeldReason | null
  next_attempt_at: Date | null
}

export const noHold: Hold = { held: false, held_reason: null, next_attempt_at: null }

/** The hold of a delivery: the held outlet with the earliest next attempt. A delivery that has ended is not held. */
export function holdOf(sql: SqlStorage, { status }: Pick<LedgerHead, 'status'>): Hold {
  const held = status === 'started' ? new Outlets(sql).held : undefined
  return held ? { held: true, held_reason: held.reason, next_attempt_at: new Date(held.next_at) } : noHold
}

/** The state of the ledger's delivery. Undefined if the ledger has no delivery. */
export function viewLedger(sql: SqlStorage): View | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const { status, is_paused } = head
  return {
    ...{ status, paused: is_paused === 1, progress: progressOf(head), report: reportOf(head) },
    ...holdOf(sql, head),
  }
}
