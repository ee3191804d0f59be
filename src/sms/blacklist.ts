import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import type { ProviderCode } from './contract.ts'
import { failure } from './errors.ts'
import type { SmsStore } from './schema.ts'

/** Puts a phone on the blacklist; one that is there stays as it is. */
export async function blockPhone({ db, blacklist }: SmsStore, phone: string, created_at: Date): Promise<void> {
  await db.insert(blacklist).values({ phone, created_at }).onConflictDoNothing()
}

/** Bound parameters are limited to 100 per statement on D1. */
const phonesPerStatement = 30
const phonesPerQuery = 90

/** Puts phones on the blacklist whose recipients have opted out of messages through a provider (STOP). */
export async function blockUnsubscribed(
  { db, blacklist }: SmsStore,
  phones: string[],
  provider: ProviderCode,
  created_at: Date,
): Promise<void> {
  for (const chunk of chunksOf(phones, phonesPerStatement)) {
    const rows = chunk.map((phone) => ({ phone, created_at, provider }))
    await db.insert(blacklist).values(rows).onConflictDoUpdate({ target: blacklist.phone, set: { provider } })
  }
}

/** The providers through which recipients have opted out, by their phones. */
export async function findUnsubscribed(
  { db, blacklist }: SmsStore,
  phones: string[],
): Promise<Map<string, ProviderCode>> {
  const found = new Map<string, ProviderCode>()
  for (const chunk of chunksOf(phones, phonesPerQuery)) {
    const rows = await db
      .select()
      .from(blacklist)
      .where(and(inArray(blacklist.phone, chunk), isNotNull(blacklist.provider)))
    for (const { phone, provider } of rows) found.set(phone, provider!)
  }
  return found
}

/** Takes a phone off the blacklist, if it is there. */
export async function allowPhone({ db, blacklist }: SmsStore, phone: string): Promise<void> {
  await db.delete(blacklist).where(eq(blacklist.phone, phone))
}

/** A phone's entry on the blacklist; 400 where there is none. */
export async function findBlocked({ db, blacklist }: SmsStore, phone: string) {
  const { created_at } = blacklist
  const [entry] = await db
    .select({ phone: blacklist.phone, created_at })
    .from(blacklist)
    .where(eq(blacklist.phone, phone))
  if (entry) return entry
  throw failure('not_blacklisted')
}
