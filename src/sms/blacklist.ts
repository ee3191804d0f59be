import { eq } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { Failure } from '#core/failure'
import type { SmsStore } from './schema.ts'

/** Puts a phone on the blacklist; one that is there stays as it is. */
export async function blockPhone({ db, blacklist }: SmsStore, phone: string, created_at: Date): Promise<void> {
  await db.insert(blacklist).values({ phone, created_at }).onConflictDoNothing()
}

/** Bound parameters are limited to 100 per statement on D1. */
const phonesPerStatement = 50

/** Puts phones on the blacklist; those that are on it stay as they are. */
export async function blockPhones({ db, blacklist }: SmsStore, phones: string[], created_at: Date): Promise<void> {
  for (const chunk of chunksOf(phones, phonesPerStatement)) {
    const rows = chunk.map((phone) => ({ phone, created_at }))
    await db.insert(blacklist).values(rows).onConflictDoNothing()
  }
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
