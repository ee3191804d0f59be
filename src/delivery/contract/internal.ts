import * as z from 'zod'

/** What the queue sends for each piece of the range. */
export const PieceCall = z.object({ ledger: z.uuid(), _min: z.int(), _max: z.int(), _gap: z.int() })
export type PieceCall = z.output<typeof PieceCall>

/** What the queue sends to have some messages sent. */
export const SliceCall = z.object({ ledger: z.uuid(), slice: z.int() })
export type SliceCall = z.output<typeof SliceCall>

/** Whom both are for. */
export const Callback = z.object({ ledger: z.uuid() })

const slug = z
  .string()
  .regex(/^[a-z_]{1,40}$/)
  .optional()
  .catch(undefined)

/** What is read of a channel's reply. */
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
