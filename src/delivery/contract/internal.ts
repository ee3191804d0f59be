// Schemas of calls between components: the calls that the queue makes for a delivery, and the replies of the email, SMS and
// feed components to messages.
import * as z from 'zod'

const ledger = z.uuid().describe('Name of the ledger of the delivery')

/** The queue's call for a piece of the range. */
export const PieceCall = z.object({
  ledger,
  _min: z.int().describe('First number of the piece'),
  _max: z.int().describe('Last number of the piece'),
  _gap: z.int().describe('Numbers per piece'),
})
export type PieceCall = z.output<typeof PieceCall>

/** The queue's call for a slice: a batch of up to 50 messages. */
export const SliceCall = z.object({ ledger, slice: z.int().describe('Number of the batch of messages') })
export type SliceCall = z.output<typeof SliceCall>

/** The part of both calls that the proof signs. A proof is thus valid for all calls about one ledger. */
export const Callback = z.object({ ledger })

const slug = z
  .string()
  .regex(/^[a-z_]{1,40}$/)
  .optional()
  .catch(undefined)

/**
 * The fields of a channel's reply that the delivery reads. Invalid values of a field are ignored, since the status alone is
 * enough.
 */
export const ChannelReply = z.object({
  status: z.boolean(),
  status_code: slug,
  content: z
    .object({
      rejected: z.array(z.string()).optional(),
      smtp: z.int().optional(),
      step: z.string().max(40).optional().catch(undefined),
      reply: z
        .object({ enhanced: z.string().max(20).nullable() })
        .optional()
        .catch(undefined),
      messages: z.array(z.object({ state: z.string(), reason: slug })).optional(),
    })
    .optional()
    .catch(undefined),
})
export type ChannelReply = z.output<typeof ChannelReply>
