// The table of deliveries, for D1 and Postgres. Recipients and messages are not here, but in the SQLite of each delivery's
// ledger.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, real, boolean, time, index, unique }) => {
  // One row per delivery: its definition, then from `status` on a copy of the state in its ledger, for lists.
  const deliveries = table(
    'delivery_deliveries',
    {
      id: id(),
      // Name of the durable object that is the delivery's ledger.
      ledger: text().notNull(),
      name: text().notNull(),
      min: integer().notNull(),
      max: integer().notNull(),
      gap: integer().notNull(),
      has_email: boolean().notNull(),
      has_sms: boolean().notNull(),
      has_feed: boolean().notNull(),
      data_url: text().notNull(),
      // JSON text, like the texts and payloads below.
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
      // Revision of the copied state, so that an older copy cannot replace it. 0 until the ledger has begun.
      revision: integer().notNull(),
      // Time of the last copy. The sweep wakes the ledger of a started delivery if this time is too long ago.
      heard_at: time().notNull(),
      // The delivery is being deleted: callers do not see it, and the sweep completes the deletion.
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
