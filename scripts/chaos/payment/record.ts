// What a run of the payments leaves behind, and its laws are held to. Times in milliseconds since 1970.
import type { Kill } from '../victim.ts'

/** A payment as the processor told of it, by each of its copies until that was answered. */
export interface Paid {
  number: number
  code: string
  account: string
  minor: number
}

/** A webhook as it reached the operator. */
export interface ReceivedWebhook {
  id: string
  code: string
  account: string
  sum: number
  webhookId: string
  body: string
  began: number
  /** What was answered; undefined where the connection was closed before. */
  status?: number
}

/** A payment as it is listed. */
export interface ListedPayment {
  id: number
  code: string
  account: string
  sum_minor: number
  status: number
}

/** What the processor was answered about an account before it was paid for. */
export interface Checked {
  account: string
  code: number
}

export interface PaymentRun {
  paid: Paid[]
  told: ReceivedWebhook[]
  stored: ListedPayment[]
  checked: Checked[]
  kills: Kill[]
  /** Replies to the processor that were neither what it must hear nor broken off. */
  refusals: string[]
}
