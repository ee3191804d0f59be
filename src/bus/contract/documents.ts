// Schemas of documents: their parameters, replies and delivery state.
import * as z from 'zod'
import { has_more, Json, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { CollectionId, CollectionName, CreatedAt, Id } from '../contract.ts'
import { SubscriberDelivery } from './subscriptions.ts'

const hex = '[0-9a-f]'
const Uuid = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`), 'Must be a UUID')
  .meta({
    description:
      'Idempotency key, chosen by the sender: a UUID of any version, unique in the collection. A repeat with the same uuid changes nothing. Case does not matter: upper case is accepted, and stored and returned in lower case',
    examples: ['0a7bd8f4-6a5c-4c51-9ad8-8d0f4f2f7a39'],
  })

const event = text(255)
  .min(1)
  .meta({
    description: 'Kind of the document, such as an event, a subservice or a subcollection; 1 to 255 characters',
    examples: ['created'],
  })

export const NewDocument = z.object({
  collection: CollectionName,
  event,
  uuid: Uuid,
  data: Json.describe('Content of the document: any JSON, at most 1 MB'),
  webhook: text(2_000)
    .optional()
    .describe('URL that the answer of the handler is posted to. Required for async, ignored otherwise'),
})
export type NewDocument = z.output<typeof NewDocument>

const DocumentId = Id.describe('Id of the document in its collection; later documents have greater ids')

export const Document = z.object({
  id: DocumentId,
  collection: z.string().describe('Name of the collection'),
  event: z.string().describe('Kind of the document'),
  uuid: z.string().describe('Idempotency key of the document, in lower case'),
  data: Json.describe('Content of the document'),
  webhook: z.string().nullable().describe('URL that the answer is posted to; null unless the document is async'),
})

/** The answer of a handler. In the code its body is JSON text, which the reply contains unchanged. */
export const HandlerOutcome = z.object({
  status_code: z
    .int()
    .describe('HTTP status of the handler; 502 if it could not be reached, 504 if it took longer than 20 s'),
  body: Json.describe(
    'JSON body of the answer, or its text as a string; null without an answer, or if it is larger than 900 KB',
  ),
})
export type HandlerOutcome = z.output<typeof HandlerOutcome>

const state = z
  .enum(['waiting', 'processing', 'delivered', 'rejected', 'failed'])
  .nullable()
  .describe(
    'waiting: the next attempt is due now or later. processing: the handler or the webhook is being called. delivered: the handler answered 2xx, and the webhook of an async document accepted the answer. rejected: as delivered, but the handler answered 4xx other than 408, 425 and 429. failed: no attempts are left; a sync document is sent again by a repeat of its uuid. null in a storage collection',
  )
export type DocumentState = z.output<typeof state>

const progress = {
  state,
  attempts: z.int().describe('Number of calls to the handler since the last replay'),
  webhook_attempts: z.int().describe('Number of calls to the webhook since the last replay'),
}

export const DocumentDetails = Document.extend({
  ...progress,
  webhook_status: z
    .int()
    .nullable()
    .describe('HTTP status of the last call to the webhook; 502 and 504 as for a handler; null if it was not called'),
  response: HandlerOutcome.nullable().describe('Last answer of the handler; null if there was none'),
  created_at: CreatedAt,
  answered_at: Time.nullable().describe('When the handler last answered; null if it has not'),
  delivered_at: Time.nullable().describe('When the delivery ended with a final answer; null if it has not'),
  next_at: Time.nullable().describe('When the next attempt is due; null if none is planned'),
  subscriptions: z.array(SubscriberDelivery).describe('Deliveries to the subscribers of the collection'),
})

export const DocumentOf = z.object({ collection: CollectionName, id: DocumentId })

const after = z.int().min(0).default(0).describe('Exclusive cursor: only documents with a greater id')
export const Listing = z.object({
  collection: CollectionName,
  id: after.describe(
    'Exclusive cursor: only documents with a greater id; with `order` `desc`, with a smaller id, where 0 means from the newest',
  ),
  order: z.enum(['asc', 'desc']).default('asc').describe('Order by id. The collection `system` is always ascending'),
  state: z
    .enum(['waiting', 'processing', 'delivered', 'rejected', 'failed'])
    .optional()
    .describe('Only documents in this delivery state. Default: all. Ignored for the collection `system`'),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe('Maximum number of documents. Default and maximum: BOX_FETCH_LIMIT (100 unless configured)'),
})
export const CountOf = z.object({ collection: CollectionName, id: after })

/** A document in a list. The delivery state is optional, since the entries of the replication log, which are listed as documents, have none. */
const ListedDocument = Document.pick({ id: true, event: true, uuid: true, data: true }).extend(
  z.object({ ...progress, created_at: CreatedAt }).partial().shape,
)

export const Callback = z.object({
  collection: CollectionId,
  document: DocumentId,
  subscription: z.uuid().optional().describe('Id of the subscription to deliver to. Default: to the handler'),
})
export type Callback = z.output<typeof Callback>

const instance = z
  .string()
  .optional()
  .describe('Id of the instance that wrote this log; only for the collection `system`')
export const documentPage = { documents: z.array(ListedDocument).describe('Documents, by id'), has_more, instance }
export const documentCount = { documents: z.int().describe('Number of documents') }
