// The record of a chaos run of the payments, which the invariants check. Times are in milliseconds since 1970.
import type { Kill } from '../victim.ts'

/** A payment of the processor. Each copy of its notification is retried until it gets a reply. */
export interface ChaosPayment {
  number: number
  code: string
  account: string
  minor: number
}

/** A webhook that reached the operator. */
export interface ReceivedWebhook {
  id: string
  code: string
  account: string
  sum: number
  webhookId: string
  body: string
  began: number
  /** Status of the reply; undefined if the connection closed before the reply. */
  status?: number
}

/** A payment as the API lists it. */
export interface ListedPayment {
  id: number
  code: string
  account: string
  sum_minor: number
  status: number
}

/** The reply to a check whether an account exists. */
export interface AccountCheck {
  account: string
  code: number
}

export interface PaymentRun {
  paid: ChaosPayment[]
  webhooks: ReceivedWebhook[]
  stored: ListedPayment[]
  checked: AccountCheck[]
  kills: Kill[]
  /** Unexpected replies to the processor, which must not occur. Lost replies are not errors. */
  errorReplies: string[]
}
