// SQL on the table of sent passwords: stores, checks, finds and deletes them. A password is stored only as keyed hashes and
// encrypted.
import { and, desc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { rowsPerBatch } from '#core/db/retention'
import type { OtpChannel } from './channels.ts'
import type { Address, PasswordHashes } from './password-crypto.ts'
import type { Otp } from './schema.ts'

/** A sent password in its stored form. */
export interface Issued extends Address, PasswordHashes {
  created_at: Date
  expires_at: Date
}

/** Stores a password before it is sent, so that the user can enter it at once. Returns its id. */
export async function storePassword({ db, passwords }: Otp, issued: Issued): Promise<number> {
  const [stored] = await db.insert(passwords).values(issued).returning({ id: passwords.id })
  return stored!.id
}

/** Deletes a password that was certainly not sent. */
export async function deletePassword({ db, passwords }: Otp, id: number): Promise<void> {
  await db.delete(passwords).where(eq(passwords.id, id))
}

/**
 * The password that a check looks for. The database finds it by an index on target and digest; the digest also covers the
 * channel.
 */
export type PasswordQuery = Pick<Issued, 'channel' | 'target' | 'digest'>

const matchesQuery = (passwords: Otp['passwords'], { target, digest }: PasswordQuery) =>
  and(eq(passwords.target, target), eq(passwords.digest, digest))

/** Marks a password as used and returns whether it was valid. If calls are concurrent, only one of them returns true. */
export async function consumePassword({ db, passwords }: Otp, query: PasswordQuery, now: Date): Promise<boolean> {
  const used = await db
    .update(passwords)
    .set({ used_at: now })
    .where(and(matchesQuery(passwords, query), isUnused(passwords, now)))
    .returning({ id: passwords.id })
  return used.length > 0
}

/** Whether a password is valid. Does not mark it as used: with OTP_REUSABLE it stays valid. */
export async function hasValidPassword({ db, passwords }: Otp, query: PasswordQuery, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: passwords.id })
    .from(passwords)
    .where(and(matchesQuery(passwords, query), isUnused(passwords, now)))
    .limit(1)
  return found.length > 0
}

/**
 * Explains a failed check: whether the password was used before, and whether the target has any valid password, as only then
 * the check counts for the long lock.
 */
export async function classifyMismatch(
  { db, passwords }: Otp,
  { channel, target, digest }: PasswordQuery,
  now: Date,
): Promise<{ isUsed: boolean; isLive: boolean }> {
  const exists = (condition: SQL) => sql<number | null>`max(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
  const [found] = await db
    .select({
      used: exists(sql`${passwords.digest} = ${digest} AND ${passwords.used_at} IS NOT NULL`),
      live: exists(sql`${passwords.channel} = ${channel} AND ${passwords.used_at} IS NULL`),
    })
    .from(passwords)
    .where(and(eq(passwords.target, target), gt(passwords.expires_at, now)))
  return { isUsed: Number(found?.used) === 1, isLive: Number(found?.live) === 1 }
}

/** The target to which a password was sent last, if the password has not expired. It may have been used. */
export async function findTarget({ db, passwords }: Otp, channel_digest: string, now: Date) {
  const [found] = await db
    .select({ target: passwords.target })
    .from(passwords)
    .where(and(eq(passwords.channel_digest, channel_digest), gt(passwords.expires_at, now)))
    .orderBy(desc(passwords.id))
    .limit(1)
  return found?.target
}

/** The newest valid password of the given channels and targets, encrypted. */
export async function findEncrypted({ db, passwords }: Otp, addresses: Address[], now: Date) {
  const { channel, target, sealed } = passwords
  const isOneOf = addresses.map((address) => and(eq(channel, address.channel), eq(target, address.target)))
  const targets = addresses.map((address) => address.target)
  const [found] = await db
    .select({ channel, target, sealed })
    .from(passwords)
    .where(and(inArray(target, targets), or(...isOneOf), isUnused(passwords, now)))
    .orderBy(desc(passwords.id))
    .limit(1)
  return found && { ...found, channel: found.channel as OtpChannel }
}

const isUnused = ({ used_at, expires_at }: Otp['passwords'], now: Date) => and(isNull(used_at), gt(expires_at, now))

/** Deletes up to `rowsPerBatch` expired passwords and returns their number. */
export async function deleteExpired({ db, passwords }: Otp, now: Date): Promise<number> {
  const expired = db
    .select({ id: passwords.id })
    .from(passwords)
    .where(lte(passwords.expires_at, now))
    .orderBy(passwords.expires_at)
    .limit(rowsPerBatch)
  const removed = await db.delete(passwords).where(inArray(passwords.id, expired)).returning({ id: passwords.id })
  return removed.length
}
