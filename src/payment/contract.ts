// Schemas of the processor's notifications, and of the parameters and replies of the payment API.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { minorUnits } from './money.ts'

/** Makes a field of a notification optional. `null` and an empty text count as missing, since the processor sends all fields. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

const yes: unknown[] = ['1', 'true', 'True', true]
const no: unknown[] = ['0', 'false', 'False', false]

const TestMode = z
  .unknown()
  .refine((value) => yes.includes(value) || no.includes(value), 'Must be 0 or 1')
  .transform((value) => yes.includes(value))

const Amount = z.string().transform((written, { addIssue }) => {
  const minor = minorUnits(written)
  if (minor !== undefined) return { sum: Number(written), sum_minor: minor }
  addIssue('Must be above 0, with at most 12 digits and two decimals')
  return z.NEVER
})

/** The fields of a notification that are used, numbers as text. All other fields are ignored. */
export const Notification = z.object({
  TransactionId: text(255).min(1),
  Amount,
  AccountId: text(255).min(1),
  Currency: optional(
    z
      .string()
      .regex(/^[A-Za-z]{3}$/)
      .toUpperCase(),
  ),
  Status: optional(z.string()),
  OperationType: optional(z.string()),
  TestMode: optional(TestMode),
  // Only notifications of failed payments have a reason.
  Reason: optional(z.unknown()),
  ReasonCode: optional(z.unknown()),
})
export type Notification = z.output<typeof Notification>

/** The fields that distinguish a payment from a failed payment. They are checked before the other fields are validated. */
export const PaymentOutcome = Notification.pick({ TransactionId: true, Status: true, Reason: true, ReasonCode: true })
export type PaymentOutcome = z.output<typeof PaymentOutcome>

const notificationFields = {
  TransactionId: z.string().meta({
    description: 'Id of the transaction at the processor, 1 to 255 characters. In JSON also a number. Required',
    examples: ['3503689911'],
  }),
  Amount: z.string().meta({
    description:
      'Amount in the unit of the currency, above 0, with at most 12 digits and two decimals. In JSON also a number. Required',
    examples: ['10500.50'],
  }),
  AccountId: z
    .string()
    .meta({ description: 'Account that is paid for, 1 to 255 characters. Required', examples: ['aigerim'] }),
  Currency: z
    .string()
    .optional()
    .meta({ description: 'Currency code (ISO 4217), in any case. Default: PAYMENT_CURRENCY', examples: ['KZT'] }),
  Status: z
    .string()
    .optional()
    .meta({
      description:
        '`Completed` or `Authorized`; any other value gets code 13. Without it, `/check` assumes `Completed`, and `/pay` replies with code 13, since the notification reports no payment',
      examples: ['Completed'],
    }),
  OperationType: z.string().optional().describe('Default: `Payment`. Any other value, such as a refund, gets code 13'),
  TestMode: z
    .string()
    .optional()
    .describe('Whether the payment is a test, `0` or `1`. Default: `0`. `1` gets code 13 unless PAYMENT_TEST is true'),
  Reason: z.string().optional().describe('Reason of a failed payment. On `/pay`, any value gets code 13'),
  ReasonCode: z
    .string()
    .optional()
    .describe('Code of the reason of a failed payment. On `/pay`, any value gets code 13'),
} satisfies Record<keyof Notification, z.ZodType>

/** The fields of a notification for the OpenAPI document. Does not parse anything; unknown fields are allowed. */
export const NotificationFields = z.looseObject(notificationFields)

/** Reply codes of the processor's protocol (https://developers.cloudpayments.ru/#check). */
export const codes = { accepted: 0, malformed: 10, account: 11, amount: 12, refused: 13 } as const

export const Code = z.union(Object.values(codes).map((code) => z.literal(code))).meta({
  description:
    '0: accepted. 10: the notification is incomplete, not valid or not UTF-8. 11: the account is unknown, or differs from the stored payment of this transaction. 12: the amount or currency differs from the stored payment of this transaction. 13: refused, because the notification reports no payment, is a test, or the account cannot be checked now.',
  examples: [0],
})
export type Code = z.output<typeof Code>

const PaymentStatus = z.union([z.literal(0), z.literal(1)]).meta({
  description:
    '0: received, the merchant has not acknowledged the webhook yet. 1: completed, the merchant has acknowledged the webhook, or no webhook URL is set.',
  examples: [1],
})
export type PaymentStatus = z.output<typeof PaymentStatus>

const id = z.int().min(1).describe('Id of the payment in this component, from 1')
const code = text(255)
  .min(1)
  .describe('Id of the transaction at the processor (`TransactionId`), at most 255 characters')
const account = text(255).min(1).describe('Account that is paid for (`AccountId`), at most 255 characters')

export const Transaction = z.object({
  id,
  account,
  code,
  sum: z
    .number()
    .meta({ description: 'Amount in the unit of the currency, such as 10.5 for 10.50 KZT', examples: [10.5] }),
  sum_minor: z.int().meta({
    description: 'Amount as an exact integer in hundredths of the unit, for every currency',
    examples: [1050],
  }),
  currency: z.string().meta({ description: 'Currency code (ISO 4217)', examples: ['KZT'] }),
  status: PaymentStatus,
  is_test: z
    .boolean()
    .describe(
      'Whether the payment was made in the test mode of the processor. Such payments are stored only if `PAYMENT_TEST` is true',
    ),
  created_at: Time.describe('When the payment was stored'),
})

const Attempt = z.object({
  id: z.int().describe('Id of the attempt. Later attempts have higher ids'),
  url: z.string().describe('URL that the webhook was sent to, without credentials'),
  request_body: z.string().describe('Body of the webhook, without card data and credentials'),
  response_status: z.int().nullable().describe("HTTP status of the merchant's response; null if there was no response"),
  response_body: z
    .string()
    .nullable()
    .describe(
      'First 4,000 characters of the response, without card data and credentials; null if there was no response',
    ),
  error: z.string().nullable().describe('Why there was no response, such as a timeout; null if there was one'),
  duration_ms: z.int().describe('Duration of the attempt in milliseconds'),
  created_at: Time.describe('When the attempt started'),
})

export const TransactionWithWebhooks = Transaction.extend({
  webhooks: z.array(Attempt).describe('The last 100 webhook attempts, the newest first'),
  next_webhook_at: Time.nullable().describe('When the next attempt is due; null if none is scheduled'),
}).describe('The payment with its webhook attempts')

export const TransactionsOf = z.object({
  account: account.optional().describe('List only payments for this account'),
  code: code.optional().describe('List only the payment with this id at the processor (`TransactionId`)'),
  status: z
    .int()
    .min(0)
    .max(1)
    .optional()
    .describe('List only payments with this status. 0: not acknowledged by the merchant yet. 1: completed'),
  created_from: Time.optional().describe('List only payments stored at this time or later'),
  created_to: Time.optional().describe('List only payments stored before this time'),
  count,
  ...paging(),
})
export type TransactionsOf = z.output<typeof TransactionsOf>

export const TransactionOf = z
  .object({
    id: id.optional().describe('Id of the payment. Required unless `code` is given'),
    code: code
      .optional()
      .describe('Id of the transaction at the processor (`TransactionId`). Required unless `id` is given'),
  })
  .refine((by) => by.id !== undefined || by.code !== undefined, {
    path: ['id'],
    error: 'Is required unless code is given',
  })
export type TransactionOf = z.output<typeof TransactionOf>
