// Tables of the SMS gateway, for D1 and Postgres: messages, pending receipts and the blacklist.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'
import type { Kind, ProviderCode, SmsState } from './contract.ts'
import type { ReceiptState } from './providers/contract.ts'

export const schema = defineSchema(({ table, id, text, integer, time, index, primaryKey }) => {
  // Text messages and calls, one row per phone. A row is stored before any provider is asked, so that no message is lost.
  const messages = table(
    'sms_messages',
    {
      id: id(),
      kind: text().notNull().$type<Kind>(),
      phone: text().notNull(),
      state: text().notNull().$type<SmsState>(),
      reason: text(),
      // The provider that accepted the message, or that is being asked or was asked last.
      provider: text().$type<ProviderCode>(),
      provider_id: text(),
      segments: integer(),
      receipt_code: text(),
      // The text, stored only on a local start, for messages that the driver `log` got.
      text: text(),
      created_at: time().notNull(),
      updated_at: time().notNull(),
    },
    (t) => [
      index('sms_messages_phone').on(t.phone, t.id),
      index('sms_messages_state').on(t.state, t.id),
      index('sms_messages_provider_id').on(t.provider, t.provider_id),
    ],
  )

  // Pending receipts: they arrived before the provider's id of their message was stored. The sweep applies them later.
  const receipts = table(
    'sms_receipts',
    {
      provider: text().notNull().$type<ProviderCode>(),
      provider_id: text().notNull(),
      state: text().notNull().$type<ReceiptState>(),
      code: text(),
      created_at: time().notNull(),
    },
    (t) => [primaryKey({ columns: [t.provider, t.provider_id] }), index('sms_receipts_created_at').on(t.created_at)],
  )

  const blacklist = table(
    'sms_blacklist',
    {
      phone: text().notNull(),
      created_at: time().notNull(),
      // The provider that reported the recipient's opt-out (STOP). Null for a phone that was added with `POST /blacklist`.
      provider: text().$type<ProviderCode>(),
    },
    (t) => [primaryKey({ columns: [t.phone] })],
  )

  return { messages, receipts, blacklist }
})

export type SmsStore = StoreOf<typeof schema>
