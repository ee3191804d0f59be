// What a simulation of the queue records, for its invariants. Times are milliseconds of the virtual clock, whose steps do not move them.
import type { TaskRow } from '#queue/tables'
import type { QueuePlan, TaskPlan } from './plan.ts'

/** How a request ended at the target: its status, or a connection that broke. */
export type Answer = number | 'torn' | 'reset' | 'none'

/** A request that reached the target. */
export interface TargetArrival {
  n: number
  /** `X-Task-Id`. */
  id: string
  attempt: number
  piece: string
  at: number
  /** End of the target's work, at the latest a moment before the request's deadline. */
  worked: number
  answer: Answer
  /** Milliseconds after the response before which the queue must not send the next attempt. */
  retryAfter: number
}

/** A call of a client that had a reply, or `acked` undefined. */
export interface ClientCall {
  sent: number
  acked?: number
}

/** A task or fraction that a client created, and the calls on it. */
export interface Entry extends TaskPlan {
  created: ClientCall
  /** Number of the row, if the client knows it. */
  number?: number
  /** Number of times that the client sent the call. */
  tries: number
  cancels: ClientCall[]
  retryCalls: ClientCall[]
  isSchedule: boolean
}

/** A pause of the worker: from its acknowledgement until the call to resume was sent. */
interface PauseSpan {
  from: number
  until: number
}

export interface QueueRecord {
  plan: QueuePlan
  entries: Entry[]
  arrivals: TargetArrival[]
  pauses: PauseSpan[]
  /** Times at which the object or an invocation crashed. */
  crashes: number[]
  /** The rows of the table at the end. */
  rows: TaskRow[]
  /** Whether all tasks ended in time. */
  isAtRest: boolean
  /** Errors of the code under test that no caller expects. */
  faults: string[]
}

/** Milliseconds between an event of the queue and its effect at the target, at most. */
export const slackMs = 100

/** The marker of the task in the URL of a row. */
export const markerOf = ({ url }: TaskRow) => Number(url.slice(url.lastIndexOf('/') + 1))

export const rowsOf = ({ rows }: QueueRecord, { n }: Pick<Entry, 'n'>) =>
  rows.filter((row) => row.kind !== 'piece' && markerOf(row) === n)
