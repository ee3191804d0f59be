// Applies delivery receipts to the states of messages. A receipt can arrive before its message's id at the provider is stored;
// it is then kept as pending.
import { and, eq, exists, inArray, lt, sql } from 'drizzle-orm'
import { affectedRows, rowsOf } from '#core/db/open'
import { deleteInBatches, rowsPerBatch, sweepBudget } from '#core/db/retention'
import { blockUnsubscribed } from './blacklist.ts'
import type { ProviderCode, SmsState } from './contract.ts'
import { storedId } from './ledger.ts'
import type { Receipt } from './providers/driver.ts'
import type { SmsStore } from './schema.ts'

/** States that a receipt may change. All other states are final. */
const openStates: SmsState[] = ['queued', 'sending', 'sent', 'unknown']

const finalReceiptStates: Receipt['state'][] = ['delivered', 'undelivered', 'expired', 'rejected', 'unsubscribed']

/**
 * Applies a delivery receipt to its message, unless the message's state is final. If the message is not found, because the
 * provider's id for it is not stored yet, stores the receipt as pending for up to `pendingReceiptMs`.
 */
export async function acceptReceipt(sms: SmsStore, code: ProviderCode, receipt: Receipt, now: Date): Promise<void> {
  const stored = {
    ...receipt,
    provider_id: storedId(receipt.provider_id),
    code: receipt.code && storedId(receipt.code),
  }
  if (await applyReceipt(sms, code, stored, now)) return
  if (await storePendingReceipt(sms, code, stored, now)) return
  // The receipt was not stored, so the message may have become known in between.
  await applyReceipt(sms, code, stored, now)
}

/**
 * Updates the message of a receipt and returns whether the message changed. The report of an opt-out also blacklists the phone.
 */
async function applyReceipt(
  sms: SmsStore,
  provider: ProviderCode,
  { provider_id, state, code }: Receipt,
  now: Date,
): Promise<boolean> {
  const { db, messages } = sms
  const isMatch = and(eq(messages.provider, provider), eq(messages.provider_id, provider_id))
  if (state === 'unsubscribed') {
    const rows = await db.select({ phone: messages.phone }).from(messages).where(isMatch)
    const phones = rows.map(({ phone }) => phone)
    await blockUnsubscribed(sms, phones, provider, now)
  }
  const changed = await db
    .update(messages)
    .set({ ...changesBy(state), receipt_code: code, updated_at: now })
    .where(and(isMatch, inArray(messages.state, openStates)))
  return affectedRows(changed) > 0
}

function changesBy(state: Receipt['state']): { state?: SmsState; reason?: string | null } {
  if (state === 'unknown') return {}
  if (state === 'accepted') return { state: 'sent', reason: null }
  if (state === 'unsubscribed') return { state: 'blacklisted', reason: 'unsubscribed' }
  return { state, reason: null }
}

/**
 * Stores a receipt as pending if its message is not stored yet. A later receipt replaces the pending one, unless that one is
 * final. Returns whether the receipt was stored: false if the message is stored by now, or a final receipt is pending.
 */
async function storePendingReceipt(
  sms: SmsStore,
  provider: ProviderCode,
  { provider_id, state, code }: Receipt,
  now: Date,
): Promise<boolean> {
  const { receipts, messages } = sms
  const stored = await sms.run(sql`
    INSERT INTO ${receipts} (provider, provider_id, state, code, created_at)
    SELECT ${provider}, ${provider_id}, ${state}, ${code}, ${sql.param(now, receipts.created_at)}
    WHERE NOT EXISTS (SELECT 1 FROM ${messages} m WHERE m.provider = ${provider} AND m.provider_id = ${provider_id})
    ON CONFLICT (provider, provider_id) DO UPDATE SET state = excluded.state, code = excluded.code
    WHERE ${receipts.state} NOT IN ${finalReceiptStates}
    RETURNING provider_id`)
  return rowsOf(stored).length > 0
}

const batchSize = 100
const maxBatches = 4

/** Pending receipts are deleted after this time. A message's request stores the provider's id much sooner. */
const pendingReceiptMs = 600_000

/** Applies pending receipts whose messages are known by now, and deletes receipts that are older than `pendingReceiptMs`. */
export async function applyPendingReceipts(sms: SmsStore, now: Date, budget = sweepBudget()): Promise<void> {
  for (let batch = 0; batch < maxBatches && (await applyPendingBatch(sms, now)) === batchSize; batch++);
  const { db, receipts } = sms
  const { provider, provider_id, created_at } = receipts
  const isOld = lt(created_at, new Date(now.getTime() - pendingReceiptMs))
  const old = db.select({ provider, provider_id }).from(receipts).where(isOld).limit(rowsPerBatch)
  await deleteInBatches(budget, async () =>
    affectedRows(await db.delete(receipts).where(sql`(${provider}, ${provider_id}) IN ${old}`)),
  )
}

/** Applies one batch of pending receipts. Returns how many were applied. */
async function applyPendingBatch(sms: SmsStore, now: Date): Promise<number> {
  const { db, receipts, messages } = sms
  const message = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.provider, receipts.provider), eq(messages.provider_id, receipts.provider_id)))
  const pending = await db.select().from(receipts).where(exists(message)).limit(batchSize)
  for (const receipt of pending) {
    const { provider, provider_id } = receipt
    await applyReceipt(sms, provider, receipt, now)
    await db.delete(receipts).where(and(eq(receipts.provider, provider), eq(receipts.provider_id, provider_id)))
  }
  return pending.length
}
