// Schemas of the SMS providers' replies, and of the variables that configure the driver `http`.
import * as z from 'zod'

// Replies of smsc.ru: an error, and an accepted message.

export const SmscRefusal = z.object({ error_code: z.coerce.number(), error: z.string().optional() })

export const SmscTaken = z.object({
  id: z.union([z.string().min(1), z.number()]),
  cnt: z.coerce.number().int().positive().optional(),
})

// Replies of Twilio: a created message or call, and an error.

export const TwilioCreated = z.object({
  sid: z.string().min(1),
  status: z.string().nullish(),
  error_code: z.number().nullish(),
  num_segments: z.coerce.number().int().positive().optional().catch(undefined),
})

export const TwilioRefusal = z.object({ code: z.number() })

// Reply of Vonage: one entry per part of a long message.

const VonagePart = z.object({ status: z.coerce.string(), 'message-id': z.string().optional() })

export const VonageReply = z.object({ messages: z.array(VonagePart).min(1) })

// Variables with which an operator configures the driver `http`.

export const GatewayUrl = z.url({ protocol: /^https?$/ })
export const GatewayMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH'])
export const BodyFormat = z.enum(['json', 'form', 'query'])
export const BodyTemplate = z.record(z.string(), z.json())
export const StopRule = z.string().regex(/^[^=]+=.+$/)
export const GatewayHeaders = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\x20-\x7e]*$/))

/** States that a receipt can report. `unsubscribed`: not delivered because the recipient has opted out. */
const ReceiptState = z.enum(['accepted', 'delivered', 'undelivered', 'expired', 'rejected', 'unsubscribed', 'unknown'])
export type ReceiptState = z.output<typeof ReceiptState>

/** The variable RECEIPT_STATES: maps the gateway's names of states to those of the SMS component. */
export const ReceiptStates = z.record(
  z.string().transform((word) => word.toLowerCase()),
  ReceiptState,
)
