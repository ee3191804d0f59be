// What a run of a delivery leaves behind, and its laws are held to.
import type { Kill } from '../victim.ts'

/** A recipient is a number: the item of the range that stands for it. */
export interface DeliveryRun {
  size: number
  kills: Kill[]
  /** Slices that may have been under way at once, and messages of each. */
  daemons: number
  width: number
  /** Every answer of the data_url, in order. */
  pages: SourcePage[]
  /** What reached the mail server and the provider of text messages, in order. */
  mail: Reached
  sms: Reached
  /** Messages to recipients of pages that broke off. */
  torn: string[]
  /** What the delivery said of itself in the end. */
  told: DeliveryProgress
  failures: FailedItem[]
  failedPieces: { min: number; tries: number }[]
  /** How far it said it was, as it was asked. */
  progress: number[]
  /** How many messages came while it was paused and nothing was under way. */
  whilePaused: number[]
  /** Replies to a caller that were neither a success nor broken off. */
  refusals: string[]
}

/** What is known of a page that was asked for. */
export interface SourcePage {
  min: number
  manner: 'good' | 'error' | 'html' | 'cut' | 'never'
}

export interface Reached {
  /** Those who got a message. */
  taken: number[]
  /** Those whose message was refused for good. */
  refused: number[]
  /** Those of whose message was said neither. */
  unsaid: number[]
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
  /** The first item of its piece, and its place in the page. */
  min: number
  index: number
  channel: 'email' | 'sms'
  state: 'failed' | 'unknown'
  reason: string
}
