// The table of notification templates, for D1 and Postgres.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, boolean, time, unique }) => {
  const notifications = table(
    'notification_notifications',
    {
      id: id(),
      // Incremented by each change. The cache of parsed templates uses it as a key, and changes use it as an optimistic lock.
      version: integer().notNull(),
      name: text().notNull(),
      // The name in lower case, by which the list is filtered: SQLite ignores case for ASCII letters only.
      lower_name: text().notNull(),
      description: text(),
      code: text().notNull(),
      has_email: boolean().notNull(),
      has_sms: boolean().notNull(),
      has_feed: boolean().notNull(),
      // Each text is JSON: a string, an integer (`sms_message` only), or an object of strings by locale.
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
