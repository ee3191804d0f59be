// Records each call to a handler, a webhook or a subscriber, with the beginning of its answer, and lists them by document.
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { maskedExcerpt } from '#core/masking/excerpt'
import { maskUrl } from '#core/masking/mask'
import type { FetchedResponse } from '#core/outgoing/call'
import type { AttemptsOf, DeliveryAttempt } from './contract/attempts.ts'
import { findDocument } from './documents.ts'
import { insertWhere } from './insert-where.ts'
import { type Bus, documentsOf } from './schema.ts'

/** Maximum number of stored attempts of a document for each target. */
const maxPerTarget = 20

/** Maximum length of the stored beginning of an answer. */
const maxExcerptLength = 1_024

/** The call that an attempt has made. */
export interface CallRecord {
  started_at: Date
  duration_ms: number
  /** The HTTP status; null without an answer. */
  status: number | null
  error: 'timeout' | 'unreachable' | null
  /** Headers of the answer as JSON. */
  headers: string | null
  /** Beginning of the answer, masked. */
  body: string | null
}

/** The record of a call that got an answer. */
export function answered(startedAt: number, { status, headers, body }: FetchedResponse): CallRecord {
  const text = new TextDecoder().decode(body)
  return {
    ...timesOf(startedAt),
    ...{ status, error: null, headers: JSON.stringify(shownHeaders(headers)) },
    body: maskedExcerpt(text, maxExcerptLength),
  }
}

/** The record of a call without an answer. */
export const unansweredCall = (startedAt: number, error: 'timeout' | 'unreachable'): CallRecord => ({
  ...timesOf(startedAt),
  ...{ status: null, error, headers: null, body: null },
})

const timesOf = (startedAt: number) => ({ started_at: new Date(startedAt), duration_ms: Date.now() - startedAt })

const maxHeaderLength = 500

/** The headers that explain an answer. Others may have credentials. */
function shownHeaders(headers: Headers): Record<string, string> {
  const shown = ['content-type', 'retry-after', 'location'].flatMap((name) => {
    const value = headers.get(name)
    if (value === null) return []
    const text = name === 'location' ? maskUrl(value.replace(/[?#].*$/s, '')) : value
    return [[name, text.slice(0, maxHeaderLength).toWellFormed()]]
  })
  return Object.fromEntries(shown)
}

interface AttemptKey {
  collection: number
  document: number
  /** `handler`, `webhook`, or the id of a subscription. */
  target: string
  /** Number of the attempt since the last replay. */
  attempt: number
}

/**
 * Statements that record an attempt, for the batch that stores its outcome. `isCurrent` is a condition that a concurrent deletion
 * or erasure of the document makes false. Must precede the statement that releases the lease, if the condition checks the lease.
 */
export function recordAttempt(bus: Bus, key: AttemptKey, call: CallRecord, isCurrent: SQL) {
  const { attempts } = bus
  const { collection, document, target } = key
  const ofTarget = sql`collection = ${collection} AND document = ${document} AND target = ${target}`
  const last = sql`SELECT id FROM ${attempts} WHERE ${ofTarget} ORDER BY id DESC LIMIT 1 OFFSET ${maxPerTarget}`
  return [
    bus.run(insertWhere(attempts, { ...key, ...call }, sql`WHERE ${isCurrent}`)),
    bus.run(sql`DELETE FROM ${attempts} WHERE ${ofTarget} AND id <= (${last})`),
  ] as const
}

/** SQL condition: the document exists, and the holder has its lease. */
export const holdsLease = (
  bus: Bus,
  { collection, document }: Omit<AttemptKey, 'target' | 'attempt'>,
  holder: string,
) => sql`EXISTS (SELECT 1 FROM ${documentsOf(bus, collection)} d WHERE d.id = ${document} AND d.holder = ${holder})`

/** Statement that deletes the attempts of some documents of a collection. */
export const deleteAttempts = ({ db, attempts }: Bus, collection: number, chosen: SQL | undefined) =>
  db.delete(attempts).where(and(eq(attempts.collection, collection), chosen))

/** A page of the attempts of a document, the oldest first. */
export async function listAttempts(
  bus: Bus,
  collection: { id: number },
  { id, after, limit, target }: Omit<AttemptsOf, 'collection'>,
): Promise<DeliveryAttempt[]> {
  await findDocument(bus, collection, id)
  const { db, attempts } = bus
  const rows = await db
    .select()
    .from(attempts)
    .where(
      and(
        eq(attempts.collection, collection.id),
        eq(attempts.document, id),
        gt(attempts.id, after),
        target === undefined ? undefined : eq(attempts.target, target),
      ),
    )
    .orderBy(asc(attempts.id))
    .limit(limit)
  return rows.map(({ collection: _, document: __, error, headers, ...attempt }) => ({
    ...attempt,
    error: error as DeliveryAttempt['error'],
    headers: headers === null ? null : (JSON.parse(headers) as DeliveryAttempt['headers']),
  }))
}
