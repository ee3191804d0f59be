// The blacklist of the SMS gateway: phones that get no messages. Callers add phones through the API, and a provider's report of
// an opt-out (STOP) adds them too.
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import type { ProviderCode } from './contract.ts'
import { failure } from './errors.ts'
import type { SmsStore } from './schema.ts'

/** Adds a phone to the blacklist. An existing entry stays unchanged. */
export async function blockPhone({ db, blacklist }: SmsStore, phone: string, created_at: Date): Promise<void> {
  await db.insert(blacklist).values({ phone, created_at }).onConflictDoNothing()
}

/** Number of phones per statement. D1 allows 100 bound parameters; an insert has three per phone, a query one. */
const phonesPerStatement = 30
const phonesPerQuery = 90

/** Blacklists phones whose recipients have opted out of the messages of a provider (STOP). The entry records that provider. */
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

/**
 * Maps each phone with an opt-out to the provider that reported the opt-out. Only that provider may still be asked to send with
 * `force`.
 */
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

/** Removes a phone from the blacklist. Has no effect if the phone is not on it. */
export async function allowPhone({ db, blacklist }: SmsStore, phone: string): Promise<void> {
  await db.delete(blacklist).where(eq(blacklist.phone, phone))
}

/** Returns the blacklist entry of a phone. Throws 400 `not_blacklisted` if the phone is not on the blacklist. */
export async function findBlocked({ db, blacklist }: SmsStore, phone: string) {
  const { created_at } = blacklist
  const [entry] = await db
    .select({ phone: blacklist.phone, created_at })
    .from(blacklist)
    .where(eq(blacklist.phone, phone))
  if (entry) return entry
  throw failure('not_blacklisted')
}
