// Stores the bot's messages instead of sending them, on a local start without a bot, so that developers can read the passwords.
import { count, desc, eq, inArray, lte } from 'drizzle-orm'
import { open } from '#core/db/open'
import { rowsPerBatch } from '#core/db/retention'
import type { Env } from './bindings.ts'
import type { CaughtMessagesOf } from './contract.ts'
import { keepsMessages } from './env.ts'
import { failure } from './errors.ts'
import { decryptFor, encryptFor } from './password-crypto.ts'
import { type Otp, schema } from './schema.ts'

const addressOf = (target: string) => ({ channel: 'chatapp' as const, target })

/** Stores a message of the bot. It contains a password, so it is encrypted like one. */
export async function storeMessage(env: Env, { chat_id: target, text }: { chat_id: string; text: string }) {
  const { db, messages } = open(env, schema)
  const sealed = await encryptFor(env, addressOf(target), text)
  await db.insert(messages).values({ target, sealed, created_at: new Date() })
}

/** Lists a page of stored messages, newest first. Throws 404 if a bot is configured, as messages are sent then. */
export async function listMessages(env: Env, { chat_id, limit, offset, count: isCounted }: CaughtMessagesOf) {
  const { db, messages } = caught(env)
  const condition = chat_id === undefined ? undefined : eq(messages.target, chat_id)
  const page = db.select().from(messages).where(condition).orderBy(desc(messages.id)).limit(limit).offset(offset)
  const total = db.select({ nb_results: count() }).from(messages).where(condition)
  const [rows, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  const decrypted = rows.map(async ({ id, target, sealed, created_at }) => {
    const text = (await decryptFor(env, addressOf(target), sealed)) ?? null
    return { id, chat_id: target, text, created_at }
  })
  return { messages: await Promise.all(decrypted), ...counted }
}

/** Deletes all stored messages. Throws 404 if a bot is configured. */
export async function clearMessages(env: Env): Promise<void> {
  const { db, messages } = caught(env)
  await db.delete(messages)
}

function caught(env: Env): Otp {
  if (!keepsMessages(env))
    throw failure('route_not_found', 'Messages of the bot are stored only on a local start without CHATAPP_BOT_TOKEN.')
  return open(env, schema)
}

/** Deletes up to `rowsPerBatch` messages stored at or before a time, and returns their number. */
export async function deleteMessages({ db, messages }: Otp, before: Date): Promise<number> {
  const { id, created_at } = messages
  const old = db.select({ id }).from(messages).where(lte(created_at, before)).limit(rowsPerBatch)
  return (await db.delete(messages).where(inArray(messages.id, old)).returning({ id })).length
}
