// The record of a chaos run of the bus, which the invariants check.
import type { Kill } from '../victim.ts'

/** A document of the run. It was sent again with its uuid until it got a reply. */
export interface SentDocument {
  number: number
  uuid: string
  /** The document's id in each reply. All must be equal. */
  ids: number[]
}

/** A request that the handler or a webhook got. */
export interface HandlerRequest {
  number: number
  document: number
  /** Status of the reply; undefined if the connection closed before the reply. */
  status?: number
}

export interface HandlerCall extends HandlerRequest {
  uuid: string
}

export interface WebhookCall extends HandlerRequest {
  webhookId: string
  /** The handler's reply, as the webhook contains it. */
  response: { status_code: number; body: unknown }
}

export interface BusRun {
  sent: SentDocument[]
  handled: HandlerCall[]
  webhookCalls: WebhookCall[]
  /** Number of documents in the collection at the end. */
  stored: number
  kills: Kill[]
  /** Error replies to callers, which must not occur. Lost replies are not errors. */
  errorReplies: string[]
}
