import { inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { logTimeOf } from './env.ts'
import { type PaymentStore, schema } from './schema.ts'

/** Sees that every payment that is not acknowledged is still to be told. */
export const takeUpWebhooks = ({ DISPATCHER }: Env): Promise<void> => DISPATCHER.getByName('first').takeUp()

/** Forgets requests and webhooks that are older than the logs go back. */
export async function forgetLogs(env: Env, now = new Date()): Promise<void> {
  const store = open(env, schema)
  const horizon = new Date(now.getTime() - logTimeOf(env))
  for (const log of [store.requests, store.webhooks] as const) await forget(store, log, horizon)
}

const perStep = 1_000
const patience = 10_000

/** The oldest first, for ten seconds at the most. */
async function forget({ db }: PaymentStore, log: PaymentStore['requests' | 'webhooks'], horizon: Date): Promise<void> {
  const end = Date.now() + patience
  const expired = db.select({ id: log.id }).from(log).where(lt(log.created_at, horizon)).limit(perStep)
  let forgotten = perStep
  while (forgotten === perStep && Date.now() < end)
    forgotten = affectedRows(await db.delete(log).where(inArray(log.id, expired)))
}
