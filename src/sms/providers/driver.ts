// The interface that the driver of each SMS provider implements, with the types of its accounts, messages, outcomes and
// receipts.
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { ReceiptState } from './contract.ts'

/** Account with a provider, from the variables `PROVIDER_A_…` to `PROVIDER_D_…`. */
export interface Account {
  /** `provider_a` to `provider_d`. */
  code: string
  /** Sender of messages: a number or a name. */
  sender: string
  username: string
  password: string
  /** Replaces the provider's default address; without a trailing slash. */
  url: string | undefined
  /** Reads another variable of this provider: `variable('BODY')` is `PROVIDER_A_BODY`. */
  variable(name: string): string | undefined
}

export interface Message {
  /** Id of the message in the gateway, unique for each phone. */
  id: string
  kind: 'sms' | 'call'
  /** 7 to 15 digits. */
  phone: string
  text: string
  /** Address for delivery receipts; `undefined` if the gateway has no public address. */
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
  /** The recipient has opted out, for example by STOP. The message is never offered to another provider. */
  | 'unsubscribed'
  | 'throttled'
  | 'rejected'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'unreadable'

/**
 * Outcome of offering a message to a provider. `refused`: the provider certainly did not take the message; another provider
 * may be asked, or the same one after `retryAfter` seconds, except after `unsubscribed`. `unknown`: the provider may have
 * taken the message, so that no other provider is asked unless duplicates are allowed.
 */
export type ProviderOutcome =
  | { state: 'sent'; provider_id: string | null; segments?: number }
  | { state: 'refused'; reason: Reason; retryAfter?: number }
  | { state: 'unknown'; reason: Reason; provider_id?: string }

/** Delivery receipt: a provider's later report about a message. */
export interface Receipt {
  provider_id: string
  state: ReceiptState
  /** Status or error code in the words of the provider. */
  code: string | null
}

/** Adapter for the API of one SMS provider. */
export interface Driver {
  /** The kinds of message that the provider can send. */
  kinds: readonly Message['kind'][]
  /** Name of a missing or invalid variable of the account, without its prefix, such as `PASSWORD`. */
  missing?(account: Account): string | undefined
  /** Sends one message within `timeoutMs`. Does not throw if the provider fails: the outcome tells. */
  send(account: Account, message: Message, timeoutMs: number): Promise<ProviderOutcome>
  /**
   * Verifies the signature or secret of a receipt; `undefined` if none is configured, so that the request needs
   * credentials. The URL of `request` is the webhook's public URL with the query of the request.
   */
  verifyReceipt?(account: Account, request: UnvalidatedRequest<unknown>): Promise<boolean | undefined>
  /** Parses a receipt; `undefined` if the request is none. */
  readReceipt?(account: Account, request: UnvalidatedRequest<unknown>): Receipt | undefined
}
