// The interface that the driver of each SMS provider implements, with the types of accounts, messages, outcomes and receipts.
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { ReceiptState } from './contract.ts'

/** Account with a provider, from the variables `PROVIDER_A_…` to `PROVIDER_D_…`. */
export interface Account {
  /** Code of the provider, `provider_a` to `provider_d`. */
  code: string
  /** Sender of messages: a number or a name. */
  sender: string
  username: string
  password: string
  /** Address of the provider's API, without a trailing slash, if it is not the default one. */
  url: string | undefined
  /** Reads another variable of this provider: `variable('BODY')` is `PROVIDER_A_BODY`. */
  variable(name: string): string | undefined
}

export interface Message {
  /** Id of the message in the gateway, unique for each phone. */
  id: string
  kind: 'sms' | 'call'
  /** Phone number, 7 to 15 digits. */
  phone: string
  text: string
  /** Address to which the provider sends delivery receipts. Undefined if the provider cannot reach the gateway. */
  receiptUrl: string | undefined
}

/** Why a message was not sent, or is not known to be sent. */
export type Reason =
  | 'credentials'
  | 'balance'
  | 'phone'
  | 'sender'
  | 'text'
  | 'forbidden'
  /** The recipient has opted out, for example by STOP. The message is not offered to another provider. */
  | 'unsubscribed'
  | 'throttled'
  | 'rejected'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'unreadable'

/**
 * Outcome of offering a message to a provider. `refused`: the provider certainly did not accept the message. Another provider
 * may be asked, or the same one after `retryAfter` seconds, except after `unsubscribed`. `unknown`: the provider may have
 * accepted the message, so no other provider is asked unless duplicates are allowed.
 */
export type ProviderOutcome =
  | { state: 'sent'; provider_id: string | null; segments?: number }
  | { state: 'refused'; reason: Reason; retryAfter?: number }
  | { state: 'unknown'; reason: Reason; provider_id?: string }

/** Delivery receipt: a provider's later report whether a message was delivered. */
export interface Receipt {
  provider_id: string
  state: ReceiptState
  /** The provider's status or error code, unchanged. */
  code: string | null
}

/** Driver: adapter for the API of one SMS provider. */
export interface Driver {
  /** The kinds of message that the provider can send. */
  kinds: readonly Message['kind'][]
  /** Name of a missing or invalid variable of the account, without its prefix, such as `PASSWORD`. */
  missing?(account: Account): string | undefined
  /** Sends one message within `timeoutMs`. Does not throw if the provider fails: the failure is the outcome. */
  send(account: Account, message: Message, timeoutMs: number): Promise<ProviderOutcome>
  /**
   * Verifies the signature or secret of a receipt. Returns undefined if no secret is configured; the request then needs
   * credentials of the API. `request` has the public URL of the webhook, with the query of the request.
   */
  verifyReceipt?(account: Account, request: UnvalidatedRequest<unknown>): Promise<boolean | undefined>
  /** Parses a receipt. Returns undefined if the request is not a receipt. */
  readReceipt?(account: Account, request: UnvalidatedRequest<unknown>): Receipt | undefined
}
