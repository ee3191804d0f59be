// Schemas of two lists in the deliveries' API: failed messages, and pieces (pages of recipients).
import * as z from 'zod'
import { count, paging } from '#core/http/fields'
import { Time } from '#core/http/time'
import { Channel } from '../contract.ts'

export const Failures = z.object({
  id: z.int().describe('Id of the delivery'),
  channel: Channel.optional().describe('Only messages of this channel'),
  state: z
    .enum(['failed', 'unknown'])
    .optional()
    .describe('Only messages in this state: certainly not sent, or with a lost outcome'),
  count,
  ...paging(),
})
export type Failures = z.output<typeof Failures>

export const FailedMessage = z.object({
  min: z.int().describe('First number of the piece'),
  max: z.int().describe('Last number of the piece'),
  index: z.int().describe('Index of the recipient in the reply of `data_url` for the piece, from 0'),
  channel: Channel.describe('Channel of the message'),
  state: z.enum(['failed', 'unknown']).describe('`failed`: certainly not sent. `unknown`: the outcome was lost'),
  reason: z.string().describe('Reason, see `reasons` in the `report` of a delivery'),
  at: Time.describe('Time of the outcome in UTC'),
})
export type FailedMessage = z.output<typeof FailedMessage>

const PieceState = z.enum(['fetching', 'waiting', 'sending', 'processed', 'failed'])

export const Pieces = z.object({
  id: z.int().describe('Id of the delivery'),
  state: PieceState.optional().describe('Only pieces in this state'),
  ...paging(),
})
export type Pieces = z.output<typeof Pieces>

export const ListedPiece = z.object({
  min: z.int().describe('First number of the piece'),
  max: z.int().describe('Last number of the piece'),
  state: PieceState.describe(
    '`fetching`: `data_url` is being called. `waiting`: `data_url` is called again later. `sending`: messages are being sent. `processed`: all messages are settled. `failed`: the piece was not fetched in 5 attempts',
  ),
  tries: z
    .int()
    .describe('Number of failed attempts to fetch the piece. Attempts while `data_url` is down do not count'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Reason of the last failed attempt: `unreachable`, `timeout`, `address_refused`, `query_too_long`, `http_<status>`, `not_json`, `no_content`, `not_objects`, `answer_too_large`, `too_many_recipients`, `interrupted`, `ledger_full`',
    ),
  recipients: z.int().describe('Number of recipients of the piece'),
})
export type ListedPiece = z.output<typeof ListedPiece>
