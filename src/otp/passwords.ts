import { and, desc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { OtpChannel } from './channels.ts'
import type { Otp } from './schema.ts'
import type { Address, Secret } from './secrecy.ts'

/** A password as it is kept. */
export interface Issued extends Address, Secret {
  created_at: Date
  expires_at: Date
}

/** Stores a password that is about to be sent, and gives its id. */
export async function storePassword({ db, passwords }: Otp, issued: Issued): Promise<number> {
  const [stored] = await db.insert(passwords).values(issued).returning({ id: passwords.id })
  return stored!.id
}

/** Takes one back that was not sent. */
export async function removePassword({ db, passwords }: Otp, id: number): Promise<void> {
  await db.delete(passwords).where(eq(passwords.id, id))
}

/** A password by its digest, with the address that the digest is of: rows are found by target and digest. */
export type Sought = Pick<Issued, 'channel' | 'target' | 'digest'>

const isSought = (passwords: Otp['passwords'], { target, digest }: Sought) =>
  and(eq(passwords.target, target), eq(passwords.digest, digest))

/** Whether a password is valid, which it is no more from now on; of two at once one alone is told so. */
export async function useUp({ db, passwords }: Otp, sought: Sought, now: Date): Promise<boolean> {
  const used = await db
    .update(passwords)
    .set({ used_at: now })
    .where(and(isSought(passwords, sought), isUnused(passwords, now)))
    .returning({ id: passwords.id })
  return used.length > 0
}

/** Whether a password is valid, and stays so. */
export async function isValid({ db, passwords }: Otp, sought: Sought, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: passwords.id })
    .from(passwords)
    .where(and(isSought(passwords, sought), isUnused(passwords, now)))
    .limit(1)
  return found.length > 0
}

/** Why a password is not valid: whether it was used up before, and whether its address has a valid password at all. */
export async function explainMiss(
  { db, passwords }: Otp,
  { channel, target, digest }: Sought,
  now: Date,
): Promise<{ isUsed: boolean; isLive: boolean }> {
  const most = (condition: SQL) => sql<number | null>`max(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
  const [found] = await db
    .select({
      used: most(sql`${passwords.digest} = ${digest} AND ${passwords.used_at} IS NOT NULL`),
      live: most(sql`${passwords.channel} = ${channel} AND ${passwords.used_at} IS NULL`),
    })
    .from(passwords)
    .where(and(eq(passwords.target, target), gt(passwords.expires_at, now)))
  return { isUsed: Number(found?.used) === 1, isLive: Number(found?.live) === 1 }
}

/** The target that a password was sent to last, used since or not. */
export async function findTarget({ db, passwords }: Otp, channel_digest: string, now: Date) {
  const [found] = await db
    .select({ target: passwords.target })
    .from(passwords)
    .where(and(eq(passwords.channel_digest, channel_digest), gt(passwords.expires_at, now)))
    .orderBy(desc(passwords.id))
    .limit(1)
  return found?.target
}

/** The newest valid password of any of these addresses, encrypted. */
export async function findSealed({ db, passwords }: Otp, addresses: Address[], now: Date) {
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

/** How many rows one statement removes. */
const batch = 1_000

/** Removes what expired before; at most so many rows, of which it gives the number. */
export async function removeExpired({ db, passwords }: Otp, now: Date): Promise<number> {
  const expired = db
    .select({ id: passwords.id })
    .from(passwords)
    .where(lte(passwords.expires_at, now))
    .orderBy(passwords.expires_at)
    .limit(batch)
  const removed = await db.delete(passwords).where(inArray(passwords.id, expired)).returning({ id: passwords.id })
  return removed.length
}
