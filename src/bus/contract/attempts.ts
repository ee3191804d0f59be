// Schemas of the attempts of a document: the calls to its handler, its webhook and the subscribers.
import * as z from 'zod'
import { Time } from '#core/http/time'
import { DocumentOf } from './documents.ts'

const Target = z
  .union([z.enum(['handler', 'webhook']), z.uuid()])
  .describe('`handler`, `webhook`, or the id of a subscription')

export const AttemptsOf = DocumentOf.extend({
  target: Target.optional().describe(
    'Only attempts to `handler`, `webhook`, or a subscription by its id. Default: all',
  ),
  after: z.int().min(0).default(0).describe('Exclusive cursor: only attempts with a greater id'),
  limit: z.int().min(1).max(100).default(100).describe('Maximum number of attempts, 1 to 100. Default: 100'),
})
export type AttemptsOf = z.output<typeof AttemptsOf>

export const DeliveryAttempt = z.object({
  id: z.int().describe('Id of the attempt; later attempts have greater ids. Pass the last one as `after`'),
  target: z.string().describe('`handler`, `webhook`, or the id of a subscription'),
  attempt: z.int().describe('Number of the attempt to this target since the last replay, from 1'),
  started_at: Time.describe('When the call began'),
  duration_ms: z.int().describe('Duration of the call in milliseconds'),
  status: z.int().nullable().describe('HTTP status of the answer; null without one'),
  error: z
    .enum(['timeout', 'unreachable'])
    .nullable()
    .describe(
      'timeout: no complete answer in time. unreachable: no connection, or a URL that is not allowed. null: answered',
    ),
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe(
      'The headers `content-type`, `retry-after` and `location`, the last without its query; null without an answer',
    ),
  body: z
    .string()
    .nullable()
    .describe('First 1024 characters of the answer, with card data and credentials masked; null without an answer'),
})
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

export const attempts = {
  attempts: z.array(DeliveryAttempt).describe('Attempts, the oldest first. The last 20 of each target are stored'),
}
