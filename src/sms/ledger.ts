import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import type { Kind, ProviderCode } from './contract.ts'
import type { SmsStore } from './schema.ts'

/** So many of a request's messages may be under way at most, that is: so many a crash may leave unknown. */
export const windowSize = 50

interface NewMessages {
  kind: Kind
  phones: string[]
  segments: number | null
  /** Who is asked first. */
  provider: ProviderCode
  /** The blacklist is not looked at. */
  force: boolean
}

export interface Entered {
  id: number
  phone: string
  state: 'queued' | 'sending' | 'blacklisted'
}

/**
 * Writes down that each phone is to get a message, in the order of the phones: the blacklisted ones as such, of the others
 * the first window as being sent. One statement, however many there are, so that no phone is blacklisted in between.
 */
export async function enterMessages(sms: SmsStore, given: NewMessages, now: Date): Promise<Entered[]> {
  const { messages, blacklist } = sms
  const { kind, phones, segments, provider, force } = given
  const isBlocked = force ? sql`1 = 0` : sql`EXISTS (SELECT 1 FROM ${blacklist} b WHERE b.phone = g.phone)`
  const at = sql.param(now, messages.created_at)
  const entered = await sms.run(sql`
    INSERT INTO ${messages} (kind, phone, state, provider, segments, created_at, updated_at)
    SELECT ${kind}, phone,
      CASE WHEN is_blocked THEN 'blacklisted' WHEN place < ${sql.raw(String(windowSize))} THEN 'sending' ELSE 'queued' END,
      CASE WHEN is_blocked THEN NULL ELSE ${provider} END, ${segments}, ${at}, ${at}
    FROM (SELECT g.place, g.phone, ${isBlocked} AS is_blocked FROM ${listed(sms, phones)}) w
    ORDER BY place
    RETURNING id, phone, state`)
  const byPhone = new Map(rowsOf<Entered>(entered).map((row) => [row.phone, row]))
  return phones.map((phone) => {
    const { id, state } = byPhone.get(phone)!
    // Postgres gives a bigint as text.
    return { id: Number(id), phone, state }
  })
}

/** A list of texts as rows `g` of `place`, from 0, and `phone`. */
const listed = ({ dialect }: SmsStore, phones: string[]): SQL => {
  const list = JSON.stringify(phones)
  return dialect === 'd1'
    ? sql`(SELECT key AS place, value AS phone FROM json_each(${list})) g`
    : sql`(SELECT place - 1 AS place, phone
        FROM json_array_elements_text(CAST(${list} AS json)) WITH ORDINALITY e(phone, place)) g`
}

/** Writes down that queued messages are being sent, through whom, and says which: none that the sweep has given up. */
export async function claimMessages(
  { db, messages }: SmsStore,
  ids: number[],
  provider: ProviderCode,
  now: Date,
): Promise<number[]> {
  const claimed = await db
    .update(messages)
    .set({ state: 'sending', provider, updated_at: now })
    .where(and(inArray(messages.id, ids), eq(messages.state, 'queued')))
    .returning({ id: messages.id })
  return claimed.map(({ id }) => id)
}

/** What is known of a message: who is asked now, or what has come of it. */
export interface LedgerEntry {
  id: number
  state: 'sending' | 'sent' | 'unknown' | 'failed' | 'blacklisted'
  reason: string | null
  provider: ProviderCode | null
  provider_id: string | null
  /** As the provider has counted them, where it has. */
  segments: number | null
  /** What was sent is kept with it. */
  keepsText: boolean
}

/** Writes down what is known of messages, as one statement; what a receipt has settled meanwhile stays. */
export async function recordEntries(sms: SmsStore, entries: LedgerEntry[], text: string, now: Date): Promise<void> {
  const { messages } = sms
  await sms.run(sql`
    UPDATE ${messages} SET state = g.state, reason = g.reason, provider = g.provider, provider_id = g.provider_id,
      segments = coalesce(g.segments, ${messages.segments}),
      text = CASE WHEN g.keeps_text = 1 THEN ${text} ELSE ${messages.text} END,
      updated_at = ${sql.param(now, messages.updated_at)}
    FROM ${recorded(sms, entries)}
    WHERE ${messages.id} = g.id AND ${messages.state} NOT IN ('delivered', 'undelivered', 'expired', 'rejected', 'blacklisted')`)
}

const recorded = ({ dialect }: SmsStore, entries: LedgerEntry[]): SQL => {
  const list = JSON.stringify(entries.map(({ keepsText, ...entry }) => ({ ...entry, keeps_text: keepsText ? 1 : 0 })))
  const rows = dialect === 'd1' ? sql`json_each(${list})` : sql`json_array_elements(CAST(${list} AS json)) e(value)`
  return sql`(SELECT CAST(value ->> 'id' AS bigint) AS id, value ->> 'state' AS state, value ->> 'reason' AS reason,
    value ->> 'provider' AS provider, value ->> 'provider_id' AS provider_id,
    CAST(value ->> 'segments' AS bigint) AS segments, CAST(value ->> 'keeps_text' AS bigint) AS keeps_text
    FROM ${rows}) g`
}

const longestId = 255

/** A provider's identity of a message as it is kept. */
export const storedId = (given: string) => given.toWellFormed().replaceAll('\0', '').slice(0, longestId)
