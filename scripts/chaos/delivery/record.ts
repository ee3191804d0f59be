// The record of a delivery run, which the invariants check.
import type { Kill } from '../victim.ts'

/** A recipient is a number: an item of the delivery's range. */
export interface DeliveryRun {
  size: number
  kills: Kill[]
  /** Maximum number of concurrent batches, and messages per batch. */
  daemons: number
  width: number
  /** Every reply of the `data_url`, in order. */
  pages: SourcePage[]
  /** Messages that reached the SMTP server and the SMS provider, in order. */
  mail: Reached
  sms: Reached
  /** Messages to recipients of incomplete pages. */
  torn: string[]
  /** The delivery at the end of the run. */
  final: DeliveryProgress
  failures: FailedItem[]
  failedPieces: { min: number; tries: number }[]
  /** `progress` of each read of the delivery. */
  progress: number[]
  /** Number of messages that arrived in each pause, after all messages in progress had ended. */
  whilePaused: number[]
  /** Error replies to callers. Lost replies are not errors. */
  errorReplies: string[]
}

/** A reply to a request for a page. */
export interface SourcePage {
  min: number
  behavior: 'good' | 'error' | 'html' | 'cut' | 'never'
}

export interface Reached {
  /** Recipients that got a message. */
  taken: number[]
  /** Recipients whose message was rejected permanently. */
  refused: number[]
  /** Recipients whose message got no clear reply. */
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
