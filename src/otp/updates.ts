import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import type { Issued } from './passwords.ts'
import type { Otp } from './schema.ts'

/** An update of the bot's platform: who is to get which password, until when; and since when that is on its way. */
export type Answered = Otp['updates']['$inferSelect']

export async function findUpdate({ db, updates }: Otp, id: number): Promise<Answered | undefined> {
  const [found] = await db.select().from(updates).where(eq(updates.id, id))
  return found
}

/**
 * Claims a password for a chat until it expires; false where it is valid for another one. Of two chats that claim the same at
 * once one gets it.
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

/** Stores an update with the password that answers it, both or neither; false where the update has come before. */
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
    // The key of the updates is all that can be there before.
    if (await findUpdate(otp, id)) return false
    throw error
  }
}

/** Notes that the answer is on its way. */
export async function markEnqueued({ db, updates }: Otp, id: number, now: Date): Promise<void> {
  await db.update(updates).set({ enqueued_at: now }).where(eq(updates.id, id))
}

const mostAtOnce = 100

/** What was to be answered before a moment, is not, and still may be. */
export const findUnanswered = ({ db, updates }: Otp, before: Date, now: Date): Promise<Answered[]> =>
  db
    .select()
    .from(updates)
    .where(and(isNull(updates.enqueued_at), gt(updates.expires_at, now), lte(updates.created_at, before)))
    .orderBy(updates.expires_at)
    .limit(mostAtOnce)

/** How many rows one statement removes. */
const batch = 1_000

/** Removes claims that have expired; at most so many, of which it gives the number. */
export async function removeClaims({ db, claims }: Otp, now: Date): Promise<number> {
  const { channel_digest, expires_at } = claims
  const expired = db.select({ channel_digest }).from(claims).where(lte(expires_at, now)).limit(batch)
  const isOver = and(inArray(channel_digest, expired), lte(expires_at, now))
  return (await db.delete(claims).where(isOver).returning({ channel_digest })).length
}

/** Removes updates that came before a moment; at most so many, of which it gives the number. */
export async function removeUpdates({ db, updates }: Otp, before: Date): Promise<number> {
  const { id, created_at } = updates
  const old = db.select({ id }).from(updates).where(lte(created_at, before)).limit(batch)
  return (await db.delete(updates).where(inArray(updates.id, old)).returning({ id })).length
}
