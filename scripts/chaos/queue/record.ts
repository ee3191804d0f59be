// What a run of the queue leaves behind, and its laws are held to. All times in milliseconds since 1970.
import type { Kill } from '../victim.ts'

/** What the target does with a request. */
export type Manner =
  | 'at_once'
  | 'slowly'
  /** Answers 500. */
  | 'error'
  /** Closes the connection without an answer. */
  | 'cut'
  /** Closes it in the midst of a 200. */
  | 'torn'
  /** Answers the first attempt with 500, all others at once. */
  | 'recovers'
  /** Of a fraction: each piece in a manner that its place decides. */
  | 'mixed'

/** A task or a fraction as it is put in. */
export interface TaskOrder {
  /** Its own, by which the target knows it even where nobody was told an id. */
  number: number
  worker: string
  manner: Manner
  retries: number
  /** Seconds. */
  delay: number
  /** Its flow key. */
  key?: string
  range?: { min: number; max: number; gap: number }
}

/** What the queue said of it; no id where the reply never came, which leaves open whether it is in. */
export interface RecordedTask extends TaskOrder {
  id?: string
  sent: number
  /** When it was answered, or would not be any more. */
  told: number
}

/** One request as the target saw it. */
export interface Arrival {
  number: number
  id: string
  attempt: number
  worker: string
  piece?: { min: number; max: number }
  key?: string
  began: number
  /** When its answer was handed over, or else its connection closed: before the queue can know of either. */
  ended: number
  answer: 'success' | 'error' | 'cut' | 'torn' | 'none'
  /** Until when the target works on it: beyond `ended` where a kill broke the connection, which it does not notice. */
  worked: number
}

/** What the queue says in the end. */
export interface TaskResult {
  state: string
  attempts: number
  /** Whole seconds, rounded down. */
  started: number | null
  ended: number | null
  pieces?: { total: number; done: number; failed: number; lost: number }
  unhappy?: { min: number; max: number; state: string }[]
}

export interface QueueRun {
  entries: RecordedTask[]
  arrivals: Arrival[]
  /** By id. */
  outcomes: Map<string, TaskResult>
  kills: Kill[]
  /** By worker. */
  daemons: Record<string, number>
  /** Tasks of one key that may run at a time. */
  keyConcurrency: number
  /** After the last kill, when every worker had something due: nobody asked the queue for anything in this time. */
  alone: { from: number; to: number }
  /** Replies to enqueuing that were neither a success nor broken off. */
  refusals: string[]
}
