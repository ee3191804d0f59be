import { eq } from 'drizzle-orm'
import { Failure } from '#core/failure'
import type { SmsStore } from './schema.ts'

/** Puts a phone on the blacklist; one that is there stays as it is. */
export async function blockPhone({ db, blacklist }: SmsStore, phone: string, created_at: Date): Promise<void> {
  await db.insert(blacklist).values({ phone, created_at }).onConflictDoNothing()
}

/** Takes a phone off the blacklist, if it is there. */
export async function allowPhone({ db, blacklist }: SmsStore, phone: string): Promise<void> {
  await db.delete(blacklist).where(eq(blacklist.phone, phone))
}

/** A phone's entry on the blacklist; 400 where there is none. */
export async function findBlocked({ db, blacklist }: SmsStore, phone: string) {
  const [entry] = await db.select().from(blacklist).where(eq(blacklist.phone, phone))
  if (entry) return entry
  throw new Failure('invalid', 'The phone is not on the blacklist', { code: 'not_blacklisted' })
}
