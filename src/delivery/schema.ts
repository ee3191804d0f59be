import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, real, boolean, time, index, unique }) => {
  // What a delivery is. How far it is says its ledger, of which status, progress and the rest are a copy.
  const deliveries = table(
    'delivery_deliveries',
    {
      id: id(),
      // The name of its ledger, which is never used again.
      ledger: text().notNull(),
      name: text().notNull(),
      min: integer().notNull(),
      max: integer().notNull(),
      gap: integer().notNull(),
      has_email: boolean().notNull(),
      has_sms: boolean().notNull(),
      has_feed: boolean().notNull(),
      data_url: text().notNull(),
      // JSON, as all that follow.
      filters: text().notNull(),
      email_subject: text(),
      email_html: text(),
      sms_message: text(),
      feed_title: text(),
      feed_text: text(),
      feed_image: text(),
      feed_payload: text(),
      payload: text(),
      max_per_second: real(),
      status: text().notNull(),
      is_paused: boolean().notNull(),
      held_reason: text(),
      next_attempt_at: time(),
      progress: real().notNull(),
      // Of the ledger's books as they are here; 0 until the ledger has any.
      revision: integer().notNull(),
      // When the ledger was last heard of.
      heard_at: time().notNull(),
      // It is being deleted: nobody sees it any more, and its ledger goes first.
      is_removed: boolean().notNull(),
      created_at: time().notNull(),
      updated_at: time().notNull(),
    },
    (t) => [
      unique('delivery_deliveries_ledger').on(t.ledger),
      index('delivery_deliveries_status').on(t.status, t.heard_at),
      index('delivery_deliveries_removed').on(t.is_removed, t.heard_at),
    ],
  )

  return { deliveries }
})

export type DeliveryStore = StoreOf<typeof schema>
