// Tables of the one-time passwords, for D1 and Postgres: rules, passwords, and the updates and messages of the bot.
import { sql } from 'drizzle-orm'
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, time, index, primaryKey }) => {
  // The rules of each channel. A list of rules is one row with JSON, so that concurrent writes replace it as a whole.
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
      // Keyed hash of channel, target and password. Checks find the password by it.
      digest: text().notNull(),
      // Keyed hash of channel and password. The target of a password is found by it.
      channel_digest: text().notNull(),
      // The encrypted password.
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

  // The chat that has each password of the bot, so that no two chats have the same password at the same time.
  const claims = table(
    'otp_claims',
    { channel_digest: text().notNull(), target: text().notNull(), expires_at: time().notNull() },
    (t) => [primaryKey({ columns: [t.channel_digest] }), index('otp_claims_expires_at').on(t.expires_at)],
  )

  // Updates of the bot platform by id, with their answers. The platform repeats updates, and each must be answered once.
  const updates = table(
    'otp_updates',
    {
      id: integer().notNull(),
      target: text().notNull(),
      sealed: text().notNull(),
      created_at: time().notNull(),
      expires_at: time().notNull(),
      // When the queue accepted the task with the answer. Null: the sweep creates the task.
      enqueued_at: time(),
    },
    (t) => [
      primaryKey({ columns: [t.id] }),
      index('otp_updates_created_at').on(t.created_at),
      index('otp_updates_unanswered').on(t.expires_at).where(sql`enqueued_at IS NULL`),
    ],
  )

  // Messages that the bot would have sent, on a local start without a bot.
  const messages = table(
    'otp_messages',
    { id: id(), target: text().notNull(), sealed: text().notNull(), created_at: time().notNull() },
    (t) => [index('otp_messages_target').on(t.target, t.id), index('otp_messages_created_at').on(t.created_at)],
  )

  return { limits, passwords, claims, updates, messages }
})

export type Otp = StoreOf<typeof schema>
