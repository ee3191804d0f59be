// Schemas of bulk replays, and of the operations that run them.
import * as z from 'zod'
import { Time } from '#core/http/time'
import { CollectionName } from '../contract.ts'

export const Replay = z
  .object({
    collection: CollectionName,
    state: z
      .enum(['waiting', 'delivered', 'rejected', 'failed'])
      .optional()
      .describe(
        'Only documents in this state; for a subscription, the state of the delivery to the subscriber. Default: all documents',
      ),
    from: Time.optional().describe('Only documents that were sent at this time or later. Default: from the first'),
    to: Time.optional().describe('Only documents that were sent before this time. Default: up to now'),
    target: z
      .union([z.enum(['handler', 'webhook']), z.uuid()])
      .default('handler')
      .describe(
        'handler: call the handler again, and the webhook with its new answer. webhook: send the stored final answer of the handler to the webhook again. The id of a subscription: send the documents with its events to the subscriber again, also those that it has never got',
      ),
  })
  .refine(({ from, to }) => !from || !to || from < to, { path: ['to'], error: 'Must be later than `from`' })
export type Replay = z.output<typeof Replay>

export const OperationOf = z.object({
  collection: CollectionName,
  id: z.uuid().describe('Id of the operation, from the reply that started it'),
})
export type OperationOf = z.output<typeof OperationOf>

export const startedOperation = {
  operation: z
    .object({ id: z.string().describe('Id of the operation, for `GET /operation`') })
    .describe('The operation, which runs in the background'),
}

const BulkReplay = z.object({
  id: z.string().describe('Id of the operation'),
  state: z
    .enum(['running', 'done', 'failed'])
    .describe(
      'running: continues every minute. done: all matching documents were found. failed: it ended before the last one',
    ),
  matched: z.int().describe('Number of matching documents that were found so far'),
  done: z.int().describe('Number of them that were replayed. A document that is under way, or was deleted, is not'),
  created_at: Time.describe('When the operation was started'),
  ended_at: Time.nullable().describe('When the operation ended; null while it is running'),
})
export type BulkReplay = z.output<typeof BulkReplay>

export const operation = { operation: BulkReplay }
