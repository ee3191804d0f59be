import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'
import type { Kind, ProviderCode, SmsState } from './contract.ts'
import type { ReceiptState } from './providers/contract.ts'

export const schema = defineSchema(({ table, id, text, integer, time, index, primaryKey }) => {
  // A row is there before any provider hears of its message.
  const messages = table(
    'sms_messages',
    {
      id: id(),
      kind: text().notNull().$type<Kind>(),
      phone: text().notNull(),
      state: text().notNull().$type<SmsState>(),
      reason: text(),
      // Who is asked, was asked last, or has taken it.
      provider: text().$type<ProviderCode>(),
      provider_id: text(),
      segments: integer(),
      receipt_code: text(),
      // Only where the component runs locally, and only what went to a log.
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

  // Receipts that came before what they are about was written down. The sweep takes them up.
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
      // Who said that the recipient has opted out (STOP); null for a phone that an operator has put here.
      provider: text().$type<ProviderCode>(),
    },
    (t) => [primaryKey({ columns: [t.phone] })],
  )

  return { messages, receipts, blacklist }
})

export type SmsStore = StoreOf<typeof schema>
