// Handles `POST /sms` and `POST /call`: stores one message per phone, has them sent and builds the reply. Also lists stored
// messages.
import { and, count, desc, eq, type SQLWrapper, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { countSegments } from '#core/messages/segments'
import { counter } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import type { Kind, MessagesOf, ProviderCode, SentMessage } from './contract.ts'
import { type DispatchResult, dispatch, notAttempted } from './dispatch.ts'
import { failure, missing } from './errors.ts'
import { insertMessages, recordEntries, type StoredMessage } from './ledger.ts'
import { type Provider, providersFor } from './providers.ts'
import { receiptUrlOf } from './receipt-webhook.ts'
import { type SmsStore, schema } from './schema.ts'

interface SendRequest {
  kind: Kind
  phones: string[]
  message: string
  force: boolean
  allow_duplicates?: boolean
  provider?: ProviderCode | undefined
}

interface RequestContext {
  ctx: ExecutionContext
  /** Base URL of the request. Delivery receipts go there if no other address is configured. */
  base: string
  markPointOfNoReturn: MarkPointOfNoReturn
}

/**
 * Sends a text message or a call to each phone, and returns the results in the order of the phones. `waitUntil` lets the work
 * end if the client disconnects. Throws 502 `sms_failed` or `call_failed` if certainly no phone got the message; with
 * `allow_duplicates`, if no phone is known to have got it.
 */
export function sendMessages(
  env: Env,
  request: SendRequest,
  context: RequestContext,
): Promise<{ messages: SentMessage[] }> {
  const providers = providersFor(env, request.kind, request.provider)
  const reply = send(env, request, providers, context)
  context.ctx.waitUntil(reply.catch(() => undefined))
  return reply
}

async function send(
  env: Env,
  request: SendRequest,
  providers: Provider[],
  { base, markPointOfNoReturn }: RequestContext,
) {
  const { kind, phones, message: text, force, allow_duplicates: allowDuplicates = false } = request
  const sms = open(env, schema)
  const segments = kind === 'sms' ? countSegments(text) : null
  const inserted = await insertMessages(
    sms,
    { kind, phones, segments, force, provider: providers[0]!.code },
    new Date(),
  )
  const rows = inserted.filter(({ state }) => state !== 'blacklisted')
  if (rows.length > 0) await commitOrFail(sms, rows, markPointOfNoReturn)
  const receiptUrl = (provider: Provider) => receiptUrlOf(env, base, provider)
  const order = { kind, text, segments, isForced: force, allowDuplicates, receiptUrl, keepsText: env.LOCAL === 'true' }
  const { results, retryAfter } = await dispatch({ env, sms }, rows, order, providers)
  const messages = inserted.map((row) => toResponse(row, segments, results.get(row.id)))
  const mayRepeat = ({ state }: SentMessage) => state === 'failed' || (allowDuplicates && state === 'unknown')
  if (!messages.every(mayRepeat)) return { messages }
  throw failure(`${kind}_failed`, undefined, {
    content: { messages },
    undone: true,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

const countMessage = counter(
  'quartermaster_sms_messages_total',
  'Text messages and calls by outcome: sent, unknown, failed or blacklisted.',
)

/**
 * Marks the point after which a retry with the same `Idempotency-Key` must not send again. If a retry has meanwhile taken over
 * from this request, records this request's messages as not attempted and rethrows the error.
 */
async function commitOrFail(
  sms: SmsStore,
  rows: StoredMessage[],
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<void> {
  try {
    await markPointOfNoReturn()
  } catch (error) {
    await recordEntries(sms, rows.map(notAttempted), '', new Date())
    throw error
  }
}

function toResponse(
  { id, phone }: StoredMessage,
  counted: number | null,
  result: DispatchResult | undefined,
): SentMessage {
  countMessage({ state: result?.state ?? 'blacklisted' })
  if (!result) return { id, phone, state: 'blacklisted', provider: null, provider_id: null, segments: counted }
  const { state, provider, provider_id, segments, reason } = result
  return { id, phone, state, provider, provider_id, segments: segments ?? counted, ...(reason && { reason }) }
}

/** Lists a page of messages, newest first. With `withText` the stored texts are included, for a local start. */
export async function listMessages(
  { db, messages }: SmsStore,
  { limit, offset, count: isCounted, ...filter }: MessagesOf,
  withText: boolean,
) {
  const condition = matching(messages, filter)
  const page = db.select().from(messages).where(condition).orderBy(desc(messages.id)).limit(limit).offset(offset)
  const total = db.select({ nb_results: count() }).from(messages).where(condition)
  const [rows, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  return { messages: rows.map((row) => toMessage(row, withText)), ...counted }
}

/** Finds a message by id. Throws 404 `message_not_found` if there is none. */
export async function findMessage({ db, messages }: SmsStore, id: number, withText: boolean) {
  const [row] = await db.select().from(messages).where(eq(messages.id, id))
  if (row) return toMessage(row, withText)
  throw missing('message', { id })
}

const matching = (messages: SmsStore['messages'], { phone, state, provider, kind }: Partial<MessagesOf>) =>
  and(
    phone === undefined ? undefined : eq(messages.phone, phone),
    state && (phone === undefined ? eq(messages.state, state) : unindexed(messages.state, state)),
    provider && unindexed(messages.provider, provider),
    kind && eq(messages.kind, kind),
  )

/**
 * Keeps SQLite from using an index on this column. SQLite would prefer that index to the order of ids, even if most rows have
 * the same value, and then sort them all.
 */
const unindexed = (column: SQLWrapper, value: string) => sql`${column} || '' = ${value}`

/** Converts a row of the database to the format of replies. Leaves out the text unless `withText`. */
function toMessage({ text, ...row }: SmsStore['messages']['$inferSelect'], withText: boolean) {
  return { ...row, ...(withText && text !== null && { text }) }
}
