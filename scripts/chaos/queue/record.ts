// The record of a chaos run of the queue, which the invariants check. Times are in milliseconds since 1970.
import type { Kill } from '../victim.ts'

/** How the target answers a request. */
export type Behavior =
  | 'at_once'
  | 'slowly'
  /** Replies 500. */
  | 'error'
  /** Closes the connection without a reply. */
  | 'cut'
  /** Closes the connection in the middle of a 200. */
  | 'torn'
  /** Replies 500 to the first attempt, and 200 to the others. */
  | 'recovers'
  /** Only for fractions: the position of a piece in the range decides its behavior. */
  | 'mixed'

/** A task or a fraction to be created. */
export interface TaskOrder {
  /** Number of the task in its body, by which the target recognizes it even if the reply with its id was lost. */
  number: number
  worker: string
  behavior: Behavior
  retries: number
  /** Delay before the first request, in seconds. */
  delay: number
  /** Flow key: a worker with `per_key` limits the concurrent tasks of one key. */
  key?: string
  range?: { min: number; max: number; gap: number }
}

/** A task with the queue's reply to its creation. Without a reply there is no id, and the task may or may not exist. */
export interface RecordedTask extends TaskOrder {
  id?: string
  sent: number
  /** When the reply arrived, or the connection failed. */
  repliedAt: number
}

/** One request that reached the target. */
export interface Arrival {
  number: number
  id: string
  attempt: number
  worker: string
  piece?: { min: number; max: number }
  key?: string
  began: number
  /** When the target wrote the reply or closed the connection. The queue sees the end of the request a little later. */
  ended: number
  answer: 'success' | 'error' | 'cut' | 'torn' | 'none'
  /**
   * When the target stops working on the request. Later than `ended` if a kill broke the connection, since the target
   * does not notice.
   */
  worked: number
}

/** A task at the end of the run, from the API. */
export interface TaskResult {
  state: string
  attempts: number
  /** Start of the task's last request, rounded down to seconds. */
  started: number | null
  ended: number | null
  pieces?: { total: number; done: number; failed: number; lost: number }
  unhappy?: { min: number; max: number; state: string }[]
}

export interface QueueRun {
  entries: RecordedTask[]
  arrivals: Arrival[]
  /** Results by task id. */
  outcomes: Map<string, TaskResult>
  kills: Kill[]
  /** Number of daemons of each worker. */
  daemons: Record<string, number>
  /** Maximum number of concurrent tasks of one key, except in the worker `ordered`. */
  keyConcurrency: number
  /** Workers whose daemons wait for the deadline of an interrupted request. */
  strictWorkers: string[]
  /**
   * The period after the last kill in which no client called the queue, and every worker had a due task. Each worker
   * must send a request in it.
   */
  unattended: { from: number; to: number }
  /** Error replies to the creation of tasks, which must not occur. Lost replies are not errors. */
  errorReplies: string[]
}
