// SQL on the bot platform's updates, and on the claims that keep two chats from having the same password.

import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { rowsPerBatch } from '#core/db/retention'
import type { Issued } from './passwords.ts'
import type { Otp } from './schema.ts'

/**
 * A stored update with its answer: target, encrypted password, expiry, and the time at which the queue accepted the answer's
 * task.
 */
export type BotUpdateRow = Otp['updates']['$inferSelect']

export async function findUpdate({ db, updates }: Otp, id: number): Promise<BotUpdateRow | undefined> {
  const [found] = await db.select().from(updates).where(eq(updates.id, id))
  return found
}

/**
 * Claims a password for a chat until the password expires. Returns false if another chat has the same password. If claims of
 * one password are concurrent, one succeeds.
 */
export async function claimPassword(otp: Otp, { channel_digest, target, expires_at }: Issued, now: Date) {
  const { claims, passwords } = otp
  const isElsewhere = and(
    eq(passwords.channel_digest, channel_digest),
    ne(passwords.target, target),
    gt(passwords.expires_at, now),
  )
  const isFree = or(lte(claims.expires_at, now), eq(claims.target, target))
  const claimed = await otp.run(sql`
    INSERT INTO ${claims} (channel_digest, target, expires_at)
    SELECT ${channel_digest}, ${target}, ${sql.param(expires_at, claims.expires_at)}
    WHERE NOT EXISTS (SELECT 1 FROM ${passwords} WHERE ${isElsewhere})
    ON CONFLICT (channel_digest) DO UPDATE SET target = excluded.target, expires_at = excluded.expires_at
    WHERE ${isFree} RETURNING target`)
  return rowsOf(claimed).length > 0
}

/**
 * Stores an update and its password in one transaction. Returns false if the update is already stored, so that it is not
 * answered twice.
 */
export async function storeUpdate(otp: Otp, id: number, issued: Issued): Promise<boolean> {
  const { db, updates, passwords } = otp
  const { target, sealed, created_at, expires_at } = issued
  try {
    await db.batch([
      db.insert(updates).values({ id, target, sealed, created_at, expires_at }),
      db.insert(passwords).values(issued),
    ])
    return true
  } catch (error) {
    // The primary key of the updates is the only constraint that this batch can violate.
    if (await findUpdate(otp, id)) return false
    throw error
  }
}

/** Records that the queue has accepted the task with the answer. */
export async function markEnqueued({ db, updates }: Otp, id: number, now: Date): Promise<void> {
  await db.update(updates).set({ enqueued_at: now }).where(eq(updates.id, id))
}

const batchSize = 100

/**
 * Updates received before a time whose answers have not expired, and whose tasks the queue has not accepted: a crash
 * interrupted them.
 */
export const findPending = ({ db, updates }: Otp, before: Date, now: Date): Promise<BotUpdateRow[]> =>
  db
    .select()
    .from(updates)
    .where(and(isNull(updates.enqueued_at), gt(updates.expires_at, now), lte(updates.created_at, before)))
    .orderBy(updates.expires_at)
    .limit(batchSize)

/** Deletes up to `rowsPerBatch` expired claims. Returns their number. */
export async function deleteClaims({ db, claims }: Otp, now: Date): Promise<number> {
  const { channel_digest, expires_at } = claims
  const expired = db.select({ channel_digest }).from(claims).where(lte(expires_at, now)).limit(rowsPerBatch)
  const isExpired = and(inArray(channel_digest, expired), lte(expires_at, now))
  return (await db.delete(claims).where(isExpired).returning({ channel_digest })).length
}

/** Deletes up to `rowsPerBatch` updates that were received at or before a time. Returns their number. */
export async function deleteUpdates({ db, updates }: Otp, before: Date): Promise<number> {
  const { id, created_at } = updates
  const old = db.select({ id }).from(updates).where(lte(created_at, before)).limit(rowsPerBatch)
  return (await db.delete(updates).where(inArray(updates.id, old)).returning({ id })).length
}
