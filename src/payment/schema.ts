// Database tables of the payment component: payments, the HTTP log and the webhook log.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'
import type { PaymentStatus } from './contract.ts'

export const schema = defineSchema(({ table, id, text, integer, real, boolean, time, index, unique }) => {
  const requests = table(
    'payment_http_log',
    {
      id: id(),
      ip: text().notNull(),
      url: text().notNull(),
      method: text().notNull(),
      // JSON object of header names and masked values.
      headers: text().notNull(),
      body: text().notNull(),
      created_at: time().notNull(),
    },
    (t) => [index('payment_http_log_created_at').on(t.created_at)],
  )

  const transactions = table(
    'payment_transaction',
    {
      id: id(),
      account: text().notNull(),
      // Id of the transaction at the processor.
      code: text().notNull(),
      sum: real().notNull(),
      sum_minor: integer().notNull(),
      currency: text().notNull(),
      status: integer().notNull().$type<PaymentStatus>(),
      created_at: time().notNull(),
      // Request id of the notification that reported the payment.
      request_id: text(),
      // Whether the payment was made in the processor's test mode.
      is_test: boolean().notNull().default(false),
    },
    (t) => [
      unique('payment_transaction_code').on(t.code),
      index('payment_transaction_account').on(t.account, t.id),
      index('payment_transaction_status').on(t.status, t.id),
      index('payment_transaction_created_at').on(t.created_at),
    ],
  )

  const webhooks = table(
    'payment_webhook_log',
    {
      id: id(),
      transaction_id: integer().notNull(),
      url: text().notNull(),
      request_body: text().notNull(),
      // Null if there was no response.
      response_status: integer(),
      response_body: text(),
      error: text(),
      duration_ms: integer().notNull(),
      created_at: time().notNull(),
    },
    (t) => [
      index('payment_webhook_log_transaction').on(t.transaction_id, t.id),
      index('payment_webhook_log_created_at').on(t.created_at),
    ],
  )

  return { requests, transactions, webhooks }
})

export type PaymentStore = StoreOf<typeof schema>
export type TransactionRow = PaymentStore['transactions']['$inferSelect']
