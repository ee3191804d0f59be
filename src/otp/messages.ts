import { count, desc, eq, inArray, lte } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import type { CaughtMessagesOf } from './contract.ts'
import { isCaught } from './env.ts'
import { failure } from './errors.ts'
import { type Otp, schema } from './schema.ts'
import { seal, unseal } from './secrecy.ts'

const addressOf = (target: string) => ({ channel: 'chatapp' as const, target })

/** Keeps a message of the bot's, which there is no platform for, encrypted as passwords are. */
export async function keepMessage(env: Env, { chat_id: target, text }: { chat_id: string; text: string }) {
  const { db, messages } = open(env, schema)
  const sealed = await seal(env, addressOf(target), text)
  await db.insert(messages).values({ target, sealed, created_at: new Date() })
}

/** A page of what was kept, the newest first; where messages go to the platform, as they do deployed, there is no such thing. */
export async function listMessages(env: Env, { chat_id, limit, offset, count: isCounted }: CaughtMessagesOf) {
  const { db, messages } = caught(env)
  const chosen = chat_id === undefined ? undefined : eq(messages.target, chat_id)
  const page = db.select().from(messages).where(chosen).orderBy(desc(messages.id)).limit(limit).offset(offset)
  const total = db.select({ nb_results: count() }).from(messages).where(chosen)
  const [rows, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  const shown = rows.map(async ({ id, target, sealed, created_at }) => {
    const text = (await unseal(env, addressOf(target), sealed)) ?? null
    return { id, chat_id: target, text, created_at }
  })
  return { messages: await Promise.all(shown), ...counted }
}

/** Forgets all of them. */
export async function clearMessages(env: Env): Promise<void> {
  const { db, messages } = caught(env)
  await db.delete(messages)
}

function caught(env: Env): Otp {
  if (!isCaught(env)) throw failure('route_not_found', 'Messages are kept only on a local start without a bot.')
  return open(env, schema)
}

/** How many rows one statement removes. */
const batch = 1_000

/** Removes what was kept before a moment; at most so many, of which it gives the number. */
export async function removeMessages({ db, messages }: Otp, before: Date): Promise<number> {
  const { id, created_at } = messages
  const old = db.select({ id }).from(messages).where(lte(created_at, before)).limit(batch)
  return (await db.delete(messages).where(inArray(messages.id, old)).returning({ id })).length
}
