// What a run of the bus leaves behind, and its laws are held to.
import type { Kill } from '../victim.ts'

/** A document as it was sent, again and again with its uuid until it was answered. */
export interface SentDocument {
  number: number
  uuid: string
  /** The id of each answer. */
  ids: number[]
}

/** One request to the handler or to a webhook. */
export interface HandlerRequest {
  number: number
  document: number
  /** What was answered; undefined where the connection was closed before. */
  status?: number
}

export interface HandlerCall extends HandlerRequest {
  uuid: string
}

export interface WebhookCall extends HandlerRequest {
  webhookId: string
  /** What the handler is said to have answered. */
  response: { status_code: number; body: unknown }
}

export interface BusRun {
  sent: SentDocument[]
  handled: HandlerCall[]
  told: WebhookCall[]
  /** How many documents the collection has in the end. */
  stored: number
  kills: Kill[]
  /** Replies to sending that were neither a success nor broken off. */
  refusals: string[]
}
