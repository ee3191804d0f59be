// The table of notification templates, for D1 and Postgres.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, boolean, time, unique }) => {
  const notifications = table(
    'notification_notifications',
    {
      id: id(),
      // Incremented with each change. Cached templates and optimistic locks use it.
      version: integer().notNull(),
      name: text().notNull(),
      // Lower case, for search.
      lower_name: text().notNull(),
      description: text(),
      code: text().notNull(),
      has_email: boolean().notNull(),
      has_sms: boolean().notNull(),
      has_feed: boolean().notNull(),
      // Each is JSON: a string, an integer, or an object of strings by locale.
      email_subject: text(),
      email_html: text(),
      sms_message: text(),
      feed_title: text(),
      feed_text: text(),
      feed_image: text(),
      // JSON array of the names of values that the texts use.
      variables: text().notNull(),
      created_at: time().notNull(),
      updated_at: time().notNull(),
    },
    (t) => [unique('notification_notifications_code').on(t.code)],
  )

  return { notifications }
})

export type Notifications = StoreOf<typeof schema>
