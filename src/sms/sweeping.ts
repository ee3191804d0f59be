import { and, eq, inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { retentionOf } from './env.ts'
import { takeUpReceipts } from './receipts.ts'
import { type SmsStore, schema } from './schema.ts'

/** What the gateway does every minute. */
export async function sweepMessages(env: Env, now = new Date()): Promise<void> {
  const sms = open(env, schema)
  await settleLeft(sms, new Date(now.getTime() - longestRequest), now)
  await takeUpReceipts(sms, now)
  await forgetMessages(sms, new Date(now.getTime() - retentionOf(env)))
}

/** Milliseconds that no request can take. */
const longestRequest = 300_000

/** Settles what a request left behind that died: what it was sending may have been sent, what it had queued was not. */
async function settleLeft({ db, messages }: SmsStore, before: Date, now: Date): Promise<void> {
  const isLeft = lt(messages.updated_at, before)
  await db
    .update(messages)
    .set({ state: 'unknown', reason: 'interrupted', updated_at: now })
    .where(and(eq(messages.state, 'sending'), isLeft))
  await db
    .update(messages)
    .set({ state: 'failed', reason: 'not_attempted', provider: null, updated_at: now })
    .where(and(eq(messages.state, 'queued'), isLeft))
}

const perStep = 1_000
const patience = 30_000

/** Forgets messages from before `horizon`, the oldest first, for half a minute at most. */
async function forgetMessages({ db, messages }: SmsStore, horizon: Date): Promise<void> {
  const end = Date.now() + patience
  // The oldest by id, so that no index of times is needed.
  const oldest = db
    .select({ id: messages.id, created_at: messages.created_at })
    .from(messages)
    .orderBy(messages.id)
    .limit(perStep)
    .as('oldest')
  const expired = db.select({ id: oldest.id }).from(oldest).where(lt(oldest.created_at, horizon))
  let forgotten = perStep
  while (forgotten === perStep && Date.now() < end)
    forgotten = affectedRows(await db.delete(messages).where(inArray(messages.id, expired)))
}
