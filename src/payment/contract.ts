import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { minorUnits } from './money.ts'

/** Nothing where it is missing, `null` or empty. */
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
  // Only in notifications of failed payments.
  Reason: optional(z.unknown()),
  ReasonCode: optional(z.unknown()),
})
export type Notification = z.output<typeof Notification>

/** The fields that tell the kind of a notification, which is judged before the others are complete. */
export const PaymentOutcome = Notification.pick({ TransactionId: true, Status: true, Reason: true, ReasonCode: true })
export type PaymentOutcome = z.output<typeof PaymentOutcome>

/** What the processor understands (https://developers.cloudpayments.ru/#check). */
export const codes = { accepted: 0, malformed: 10, account: 11, amount: 12, refused: 13 } as const

export const Code = z.union(Object.values(codes).map((code) => z.literal(code))).meta({
  description:
    '0 accepted; 10 the notification is incomplete, not valid or not UTF-8; 11 the account is unknown; 12 the amount differs from the stored payment of the same transaction; 13 refused',
  examples: [0],
})
export type Code = z.output<typeof Code>

const PaymentStatus = z.union([z.literal(0), z.literal(1)]).meta({
  description: '0 received; 1 completed: the operator has acknowledged the webhook, or there is nobody to tell',
  examples: [1],
})
export type PaymentStatus = z.output<typeof PaymentStatus>

const id = z.int().min(1).describe('Identity of the payment here')
const code = text(255).min(1).describe('Identity of the transaction at the processor')
const account = text(255).min(1).describe('Whom the payment is for')

export const Transaction = z.object({
  id,
  account,
  code,
  sum: z.number().meta({ description: 'In the unit of the currency', examples: [10.5] }),
  sum_minor: z.int().meta({ description: 'The same in hundredths, exactly; for every currency', examples: [1050] }),
  currency: z.string().meta({ description: 'ISO 4217', examples: ['KZT'] }),
  status: PaymentStatus,
  is_test: z.boolean().describe('Whether it was made in the test mode of the processor, which `PAYMENT_TEST` accepts'),
  created_at: Time,
})

const Attempt = z.object({
  id: z.int(),
  url: z.string(),
  request_body: z.string(),
  response_status: z.int().nullable().describe('Null where no answer came'),
  response_body: z.string().nullable().describe('Its first 4 000 characters'),
  error: z.string().nullable().describe('Why no answer came'),
  duration_ms: z.int(),
  created_at: Time,
})

export const TransactionWithWebhooks = Transaction.extend({
  webhooks: z.array(Attempt).describe('The last 100 attempts to tell the operator, the newest first'),
  next_webhook_at: Time.nullable().describe('When the next attempt is due; null where none is'),
})

export const TransactionsOf = z.object({
  account: account.optional(),
  code: code.optional(),
  status: z.int().min(0).max(1).optional().describe('0 or 1'),
  created_from: Time.optional().describe('The earliest that is listed'),
  created_to: Time.optional().describe('All that is listed is earlier'),
  count,
  ...paging(),
})
export type TransactionsOf = z.output<typeof TransactionsOf>

export const TransactionOf = z
  .object({ id: id.optional(), code: code.optional() })
  .refine((by) => by.id !== undefined || by.code !== undefined, {
    path: ['id'],
    error: 'Is required unless code is given',
  })
export type TransactionOf = z.output<typeof TransactionOf>
