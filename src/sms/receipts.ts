import { and, eq, exists, inArray, lt, sql } from 'drizzle-orm'
import { affectedRows, rowsOf } from '#core/db/open'
import { blockUnsubscribed } from './blacklist.ts'
import type { ProviderCode, SmsState } from './contract.ts'
import { storedId } from './ledger.ts'
import type { Receipt } from './providers/provider.ts'
import type { SmsStore } from './schema.ts'

/** What a receipt may still change: anything else is final. */
const open: SmsState[] = ['queued', 'sending', 'sent', 'unknown']

const final: Receipt['state'][] = ['delivered', 'undelivered', 'expired', 'rejected', 'unsubscribed']

/**
 * Brings a message to what its provider reports of it, unless its state is final. What is not known yet is kept: it may
 * come before the provider's answer was written down. What does not become known soon is forgotten.
 */
export async function takeReceipt(sms: SmsStore, code: ProviderCode, receipt: Receipt, now: Date): Promise<void> {
  const given = { ...receipt, provider_id: storedId(receipt.provider_id), code: receipt.code && storedId(receipt.code) }
  if (await applyReceipt(sms, code, given, now)) return
  if (await keepReceipt(sms, code, given, now)) return
  // The message may have become known in between.
  await applyReceipt(sms, code, given, now)
}

/** Says whether there is a message that it could change. One that says that its recipient has opted out blocks the phone. */
async function applyReceipt(
  sms: SmsStore,
  provider: ProviderCode,
  { provider_id, state, code }: Receipt,
  now: Date,
): Promise<boolean> {
  const { db, messages } = sms
  const isMeant = and(eq(messages.provider, provider), eq(messages.provider_id, provider_id))
  if (state === 'unsubscribed') {
    const found = await db.select({ phone: messages.phone }).from(messages).where(isMeant)
    const phones = found.map(({ phone }) => phone)
    await blockUnsubscribed(sms, phones, provider, now)
  }
  const changed = await db
    .update(messages)
    .set({ ...changesBy(state), receipt_code: code, updated_at: now })
    .where(and(isMeant, inArray(messages.state, open)))
  return affectedRows(changed) > 0
}

function changesBy(state: Receipt['state']): { state?: SmsState; reason?: string | null } {
  if (state === 'unknown') return {}
  if (state === 'accepted') return { state: 'sent', reason: null }
  if (state === 'unsubscribed') return { state: 'blacklisted', reason: 'unsubscribed' }
  return { state, reason: null }
}

/** Keeps a receipt of what is not known; of several the last, but none after a final one. Says whether it did. */
async function keepReceipt(
  sms: SmsStore,
  provider: ProviderCode,
  { provider_id, state, code }: Receipt,
  now: Date,
): Promise<boolean> {
  const { receipts, messages } = sms
  const kept = await sms.run(sql`
    INSERT INTO ${receipts} (provider, provider_id, state, code, created_at)
    SELECT ${provider}, ${provider_id}, ${state}, ${code}, ${sql.param(now, receipts.created_at)}
    WHERE NOT EXISTS (SELECT 1 FROM ${messages} m WHERE m.provider = ${provider} AND m.provider_id = ${provider_id})
    ON CONFLICT (provider, provider_id) DO UPDATE SET state = excluded.state, code = excluded.code
    WHERE ${receipts.state} NOT IN ${final}
    RETURNING provider_id`)
  return rowsOf(kept).length > 0
}

const mostAtOnce = 100
const mostRounds = 4

/** Longer than a request takes to write down what a provider has answered. */
const patience = 600_000

/** Takes up receipts whose messages have become known since, and forgets those that nothing can become known of. */
export async function takeUpReceipts(sms: SmsStore, now: Date): Promise<void> {
  for (let round = 0; round < mostRounds && (await takeUpSome(sms, now)) === mostAtOnce; round++);
  const { db, receipts } = sms
  await db.delete(receipts).where(lt(receipts.created_at, new Date(now.getTime() - patience)))
}

/** How many there were. */
async function takeUpSome(sms: SmsStore, now: Date): Promise<number> {
  const { db, receipts, messages } = sms
  const message = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.provider, receipts.provider), eq(messages.provider_id, receipts.provider_id)))
  const known = await db.select().from(receipts).where(exists(message)).limit(mostAtOnce)
  for (const receipt of known) {
    const { provider, provider_id } = receipt
    await applyReceipt(sms, provider, receipt, now)
    await db.delete(receipts).where(and(eq(receipts.provider, provider), eq(receipts.provider_id, provider_id)))
  }
  return known.length
}
