// Builds the state of a delivery that replies show, from its ledger.
import type { DeliveryStatus, HeldReason, Report } from '../contract.ts'
import { reportOf } from './counts.ts'
import { progressOf, readHead } from './head.ts'
import { Outlets } from './outlets.ts'
import type { LedgerHead } from './tables.ts'

/** The state of a delivery, as replies show it. */
export interface View extends Hold {
  status: DeliveryStatus
  paused: boolean
  progress: number
  report: Report
}

/** Whether and why a delivery waits for an outlet. */
interface Hold {
  held: boolean
  held_reason: HeldReason | null
  next_attempt_at: Date | null
}

export const noHold: Hold = { held: false, held_reason: null, next_attempt_at: null }

/** The hold of a delivery. A delivery that has ended is not held. */
export function holdOf(sql: SqlStorage, { status }: Pick<LedgerHead, 'status'>): Hold {
  const held = status === 'started' ? new Outlets(sql).held : undefined
  return held ? { held: true, held_reason: held.reason, next_attempt_at: new Date(held.next_at) } : noHold
}

/** The state of the ledger's delivery, undefined if it has none. */
export function viewLedger(sql: SqlStorage): View | undefined {
  const head = readHead(sql)
  if (!head) return undefined
  const { status, is_paused } = head
  return {
    ...{ status, paused: is_paused === 1, progress: progressOf(head), report: reportOf(head) },
    ...holdOf(sql, head),
  }
}
