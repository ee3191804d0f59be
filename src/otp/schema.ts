import { sql } from 'drizzle-orm'
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, time, index, primaryKey }) => {
  // A list of rules is one row, as JSON: it is replaced as a whole, also by two at once.
  const limits = table(
    'otp_limits',
    { channel: text().notNull(), subject: text().notNull(), rules: text().notNull() },
    (t) => [primaryKey({ columns: [t.channel, t.subject] })],
  )

  const passwords = table(
    'otp_passwords',
    {
      id: id(),
      channel: text().notNull(),
      target: text().notNull(),
      // Of channel, target and password: what a check looks for.
      digest: text().notNull(),
      // Of channel and password: whom it was sent to.
      channel_digest: text().notNull(),
      // Encrypted.
      sealed: text().notNull(),
      created_at: time().notNull(),
      expires_at: time().notNull(),
      used_at: time(),
    },
    (t) => [
      index('otp_passwords_target').on(t.target, t.digest),
      index('otp_passwords_channel_digest').on(t.channel_digest),
      index('otp_passwords_expires_at').on(t.expires_at),
    ],
  )

  // Which chat has a password of the bot's: no other one has the same at the same time.
  const claims = table(
    'otp_claims',
    { channel_digest: text().notNull(), target: text().notNull(), expires_at: time().notNull() },
    (t) => [primaryKey({ columns: [t.channel_digest] }), index('otp_claims_expires_at').on(t.expires_at)],
  )

  // What the bot's platform has told, each once, and what is to be answered.
  const updates = table(
    'otp_updates',
    {
      id: integer().notNull(),
      target: text().notNull(),
      sealed: text().notNull(),
      created_at: time().notNull(),
      expires_at: time().notNull(),
      // When the queue took the answer.
      enqueued_at: time(),
    },
    (t) => [
      primaryKey({ columns: [t.id] }),
      index('otp_updates_created_at').on(t.created_at),
      index('otp_updates_unanswered').on(t.expires_at).where(sql`enqueued_at IS NULL`),
    ],
  )

  // What the bot would have sent, where a local start has no bot.
  const messages = table(
    'otp_messages',
    { id: id(), target: text().notNull(), sealed: text().notNull(), created_at: time().notNull() },
    (t) => [index('otp_messages_target').on(t.target, t.id), index('otp_messages_created_at').on(t.created_at)],
  )

  return { limits, passwords, claims, updates, messages }
})

export type Otp = StoreOf<typeof schema>
