import type { UnvalidatedRequest } from '#core/http/declaration'
import type { ReceiptState } from './contract.ts'

/** One of the four providers, as its variables `PROVIDER_A_…` say. */
export interface Account {
  /** `provider_a` to `provider_d`. */
  code: string
  /** Who a message comes from: a number or a name. */
  sender: string
  username: string
  password: string
  /** In place of the provider's own address; without a slash at its end. */
  url: string | undefined
  /** Any further variable of this provider: `variable('BODY')` is `PROVIDER_A_BODY`. */
  variable(name: string): string | undefined
}

export interface Message {
  /** The gateway's own id of the message, unique for each phone. */
  id: string
  kind: 'sms' | 'call'
  /** 7 to 15 digits. */
  phone: string
  text: string
  /** Where the provider is to report what became of it; none where the gateway has no public address. */
  receiptUrl: string | undefined
}

/** Why a message was not taken, or is not known to be. */
export type Reason =
  | 'credentials'
  | 'balance'
  | 'phone'
  | 'sender'
  | 'text'
  | 'forbidden'
  /** The recipient has opted out, by STOP or the like. The message is never offered to another provider. */
  | 'unsubscribed'
  | 'throttled'
  | 'rejected'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'unreadable'

/**
 * What the provider did. `refused`: it certainly did not take the message, and another provider may, or the same one after
 * `retryAfter` seconds; but nobody else is asked after `unsubscribed`. `unknown`: it may have taken the message, so that
 * nobody else is asked unless duplicates are allowed.
 */
export type ProviderOutcome =
  | { state: 'sent'; provider_id: string | null; segments?: number }
  | { state: 'refused'; reason: Reason; retryAfter?: number }
  | { state: 'unknown'; reason: Reason; provider_id?: string }

/** What a provider reports of a message later. */
export interface Receipt {
  provider_id: string
  state: ReceiptState
  /** The provider's own word or number for it. */
  code: string | null
}

/** An outside service. */
export interface Driver {
  /** The kinds of message that it can send. */
  kinds: readonly Message['kind'][]
  /** What is missing in the account's configuration, named as `variable` takes it: `PASSWORD`. */
  missing?(account: Account): string | undefined
  /** Sends one message. It never throws for what the provider does, and takes `timeout` milliseconds at most. */
  send(account: Account, message: Message, timeout: number): Promise<ProviderOutcome>
  /**
   * Whether a receipt carries the provider's own proof; `undefined` where none is configured, so that ordinary access
   * applies. The URL of what is asked is the public one, as `receiptUrl` had it, with the query that it came with.
   */
  isProven?(account: Account, asked: UnvalidatedRequest<unknown>): Promise<boolean | undefined>
  /** Reads a receipt; nothing where it is none. */
  readReceipt?(account: Account, asked: UnvalidatedRequest<unknown>): Receipt | undefined
}
