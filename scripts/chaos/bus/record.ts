// The record of a bus run, which the invariants check.
import type { Kill } from '../victim.ts'

/** A document, which was sent again with its uuid until it got a reply. */
export interface SentDocument {
  number: number
  uuid: string
  /** The id in each reply. */
  ids: number[]
}

/** One request to the handler or to a webhook. */
export interface HandlerRequest {
  number: number
  document: number
  /** Status of the reply; undefined if the connection closed before. */
  status?: number
}

export interface HandlerCall extends HandlerRequest {
  uuid: string
}

export interface WebhookCall extends HandlerRequest {
  webhookId: string
  /** The handler's reply, as the webhook has it. */
  response: { status_code: number; body: unknown }
}

export interface BusRun {
  sent: SentDocument[]
  handled: HandlerCall[]
  webhookCalls: WebhookCall[]
  /** Number of documents in the collection at the end. */
  stored: number
  kills: Kill[]
  /** Error replies to callers. Lost replies are not errors. */
  errorReplies: string[]
}
