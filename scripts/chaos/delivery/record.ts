// The record of a chaos run of a delivery, which the invariants check.
import type { Kill } from '../victim.ts'

/** The record of one run. A recipient is a number: an item of the delivery's range. */
export interface DeliveryRun {
  size: number
  kills: Kill[]
  /** Number of daemons, which limits the concurrent batches, and number of messages per batch. */
  daemons: number
  width: number
  /** Every reply of the `data_url`, in order. */
  pages: SourcePage[]
  /** Messages that reached the SMTP server and the SMS provider, in order. */
  mail: Reached
  sms: Reached
  /** Messages to recipients of pages that were cut off. There must be none. */
  torn: string[]
  /** The delivery at the end of the run. */
  final: DeliveryProgress
  failures: FailedItem[]
  failedPieces: { min: number; tries: number }[]
  /** `progress` of the delivery at each read, in order. It must never fall. */
  progress: number[]
  /** For each pause, the number of messages that arrived after all messages in progress had ended. All must be 0. */
  whilePaused: number[]
  /** Error replies to callers, which must not occur. Lost replies are not errors. */
  errorReplies: string[]
}

/** One reply of the `data_url` to a request for a page. */
export interface SourcePage {
  min: number
  behavior: 'good' | 'error' | 'html' | 'cut' | 'never'
}

export interface Reached {
  /** Recipients that got a message. */
  taken: number[]
  /** Recipients whose message was rejected permanently. */
  refused: number[]
  /** Recipients whose message got no clear reply, so that its result is unknown. */
  unconfirmed: number[]
}

export type ChannelCounts = Record<'queued' | 'sending' | 'sent' | 'skipped' | 'failed' | 'unknown', number> & {
  reasons: Record<string, number>
}

export interface DeliveryProgress {
  status: string
  progress: number
  report: {
    pieces: { total: number; processed: number; failed: number }
    recipients: number
    email: ChannelCounts
    sms: ChannelCounts
  }
}

export interface FailedItem {
  /** The first item of the piece, and the index in its page. */
  min: number
  index: number
  channel: 'email' | 'sms'
  state: 'failed' | 'unknown'
  reason: string
}
