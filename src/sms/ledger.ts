// Stores each message and its state before and after a provider is asked to send it, so that a crash loses no message.
// `messages.ts` lists messages.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { rowsOf } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Kind, ProviderCode } from './contract.ts'
import type { ProviderClient } from './provider-client.ts'
import type { SmsStore } from './schema.ts'

/**
 * Number of messages that a request claims at a time. After a crash at most this many have the state `unknown`, because they
 * may have been sent.
 */
export const claimBatchSize = 50

interface NewMessages {
  kind: Kind
  phones: string[]
  segments: number | null
  /** The provider that is to be asked first. */
  provider: ProviderCode
  /** Whether blacklisted phones get the message too. */
  force: boolean
}

export interface StoredMessage {
  id: number
  phone: string
  state: 'queued' | 'sending' | 'blacklisted'
}

/**
 * Inserts one message per phone and returns the rows in the order of the phones. Messages to blacklisted phones become
 * `blacklisted`, the first batch of the others is claimed (`sending`), and the rest is `queued`. This is a single statement, so
 * that the blacklist cannot change between its check and the insert.
 */
export async function insertMessages(sms: SmsStore, input: NewMessages, now: Date): Promise<StoredMessage[]> {
  const { messages, blacklist } = sms
  const { kind, phones, segments, provider, force } = input
  const isBlocked = force ? sql`1 = 0` : sql`EXISTS (SELECT 1 FROM ${blacklist} b WHERE b.phone = g.phone)`
  const at = sql.param(now, messages.created_at)
  const inserted = await sms.run(sql`
    INSERT INTO ${messages} (kind, phone, state, provider, segments, created_at, updated_at)
    SELECT ${kind}, phone,
      CASE WHEN is_blocked THEN 'blacklisted' WHEN place < ${sql.raw(String(claimBatchSize))} THEN 'sending' ELSE 'queued' END,
      CASE WHEN is_blocked THEN NULL ELSE ${provider} END, ${segments}, ${at}, ${at}
    FROM (SELECT g.place, g.phone, ${isBlocked} AS is_blocked FROM ${listed(sms, phones)}) w
    ORDER BY place
    RETURNING id, phone, state`)
  const byPhone = new Map(rowsOf<StoredMessage>(inserted).map((row) => [row.phone, row]))
  return phones.map((phone) => {
    const { id, state } = byPhone.get(phone)!
    // Postgres returns a bigint as a string.
    return { id: Number(id), phone, state }
  })
}

/** The phones as a table `g` in SQL, with the columns `place`, counted from 0, and `phone`. */
const listed = ({ dialect }: SmsStore, phones: string[]): SQL => {
  const list = JSON.stringify(phones)
  return dialect === 'd1'
    ? sql`(SELECT key AS place, value AS phone FROM json_each(${list})) g`
    : sql`(SELECT place - 1 AS place, phone
        FROM json_array_elements_text(CAST(${list} AS json)) WITH ORDINALITY e(phone, place)) g`
}

/**
 * Claims queued messages: marks them as being sent through a provider, and returns their ids. Leaves out messages that the
 * sweep has meanwhile marked as failed.
 */
export async function claimQueued(
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

/** A state of a message to record: the provider that is being asked, or the outcome. */
export interface LedgerEntry {
  id: number
  state: 'sending' | 'sent' | 'unknown' | 'failed' | 'blacklisted'
  reason: string | null
  provider: ProviderCode | null
  provider_id: string | null
  /** Number of segments that the provider has counted. Null if the provider did not report one. */
  segments: number | null
  /** Whether to store the text with the message. */
  keepsText: boolean
}

/**
 * Records states of messages in one statement. Keeps a final state that a delivery receipt has set, as the receipt is newer.
 */
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

const maxStoredIdCharacters = 255

/** An id or code of a provider in a form that both databases can store, cut to `maxStoredIdCharacters`. */
export const storedId = (text: string) => text.toWellFormed().replaceAll('\0', '').slice(0, maxStoredIdCharacters)

/**
 * Returns a function that claims a message just before it is sent. Queued messages are claimed in batches, each when its first
 * message is about to begin. The function resolves to the provider that the database names for the message, or to undefined if
 * the message must not be sent any more.
 */
export function claimer(sms: SmsStore, rows: StoredMessage[], clients: ProviderClient[]) {
  const queued = rows.flatMap(({ id, state }) => (state === 'queued' ? id : []))
  const batches = new Map<number, () => Promise<Claim>>()
  for (const ids of chunksOf(queued, claimBatchSize)) {
    let claimed: Promise<Claim> | undefined
    const claim = () => (claimed ??= claimBatch(sms, ids, clients))
    for (const id of ids) batches.set(id, claim)
  }
  return async ({ id }: StoredMessage): Promise<ProviderCode | undefined> => {
    const batch = batches.get(id)
    if (!batch) return clients[0]!.provider.code
    const { ids, code } = await batch()
    return ids.has(id) ? code : undefined
  }
}

interface Claim {
  ids: Set<number>
  code: ProviderCode
}

async function claimBatch(sms: SmsStore, ids: number[], clients: ProviderClient[]): Promise<Claim> {
  const { code } = (clients.find(({ retryAfterMs }) => retryAfterMs === 0) ?? clients[0]!).provider
  try {
    return { ids: new Set(await claimQueued(sms, ids, code, new Date())), code }
  } catch (error) {
    log('error', { component: 'sms', route: 'ledger', ...describe(error) })
    return { ids: new Set(), code }
  }
}

/**
 * Interval between writes. D1 allows 1 000 statements per request, and messages may begin for 85 s: one write per 100 ms stays
 * below that.
 */
const writeIntervalMs = 100

const maxFinishAttempts = 3

/**
 * Batches writes: stores the first entry at once, and the entries of the next `writeIntervalMs` together. `finish` retries the
 * entries whose write failed, except entries for which `isLasting` is false: these are outdated by then.
 */
export class LedgerWriter<Entry> {
  readonly #write: (entries: Entry[]) => Promise<void>
  readonly #isLasting: (entry: Entry) => boolean
  readonly #writes = new Set<Promise<void>>()
  #buffer: Entry[] = []
  #nextFlush: Promise<void> | undefined
  #nextFlushAt = 0

  constructor(write: (entries: Entry[]) => Promise<void>, isLasting: (entry: Entry) => boolean = () => true) {
    this.#write = write
    this.#isLasting = isLasting
  }

  /** Resolves when the entry is written. */
  add(entry: Entry): Promise<void> {
    this.#buffer.push(entry)
    this.#nextFlush ??= pause(this.#nextFlushAt - Date.now()).then(() => this.#flush())
    return this.#nextFlush
  }

  /**
   * Writes the remaining entries, with retries. Resolves even if entries could not be written: the request must still reply,
   * and the sweep settles their messages.
   */
  async finish(): Promise<void> {
    for (let attempt = 0; attempt < maxFinishAttempts; attempt++) {
      if (attempt > 0) await pause(writeIntervalMs)
      await Promise.allSettled([this.#flush(), ...this.#writes])
      if (this.#buffer.length === 0) return
    }
  }

  #flush(): Promise<void> {
    const entries = this.#buffer
    this.#buffer = []
    this.#nextFlush = undefined
    this.#nextFlushAt = Date.now() + writeIntervalMs
    const write = entries.length > 0 ? this.#store(entries) : Promise.resolve()
    this.#writes.add(write)
    return write.finally(() => this.#writes.delete(write))
  }

  async #store(entries: Entry[]): Promise<void> {
    try {
      await this.#write(entries)
    } catch (error) {
      this.#buffer.unshift(...entries.filter(this.#isLasting))
      log('error', { component: 'sms', route: 'ledger', ...describe(error) })
      throw error
    }
  }
}

const pause = async (ms: number) => {
  if (ms > 0) await scheduler.wait(ms)
}
