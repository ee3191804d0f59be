// Sends the stored messages of one request: offers each message to the providers in order until one accepts it (failover), and
// records the outcomes.
import { log } from '#core/http/log'
import { masked } from '#core/messages/phone'
import type { Env } from './bindings.ts'
import { blockUnsubscribed, findUnsubscribed } from './blacklist.ts'
import { sharedStateOf } from './breaker.ts'
import type { Kind, ProviderCode } from './contract.ts'
import { claimer, type LedgerEntry, LedgerWriter, recordEntries, type StoredMessage, storedId } from './ledger.ts'
import { ProviderClient, providerTimeoutMs } from './provider-client.ts'
import type { Message, ProviderOutcome } from './providers/driver.ts'
import type { Provider } from './providers.ts'
import type { SmsStore } from './schema.ts'

/** Number of messages sent at a time. Cloudflare limits a Worker to six open connections per request. */
const maxConcurrentMessages = 6

/**
 * Messages that have not begun after this time are not attempted, so that the request ends within 100 s. A message that has
 * begun takes up to `providerTimeoutMs` more.
 */
const beginWithinMs = 85_000

/**
 * Timeout of a provider if duplicates are allowed and another provider can be asked. It is short, as users wait for such
 * messages.
 */
const failoverTimeoutMs = 4_000

/** The part of a request that is the same for all its messages. */
interface Order {
  kind: Kind
  text: string
  segments: number | null
  /** Whether blacklisted phones get the message too. */
  isForced: boolean
  /** Whether a message with an unknown outcome is offered to the next provider. */
  allowDuplicates: boolean
  /** Address to which a provider sends delivery receipts. Undefined if the provider cannot reach the gateway. */
  receiptUrl(provider: Provider): string | undefined
  /** Whether texts that the driver `log` gets are stored. Only on a local start, for developers. */
  keepsText: boolean
}

/** Outcome of sending a message, after all providers that could be asked. */
export type DispatchResult = LedgerEntry & { state: 'sent' | 'unknown' | 'failed' | 'blacklisted' }

interface DispatchReport {
  /** The results by message id. */
  results: Map<number, DispatchResult>
  /** Seconds until the first circuit allows a message. Undefined if one allows messages now. */
  retryAfter: number | undefined
}

/**
 * Sends stored messages, up to `maxConcurrentMessages` at a time. Offers each message to the providers in order until one
 * accepts it, and records the outcomes in batches. Returns all outcomes, even if some could not be recorded.
 *
 * @param until no message begins at or after this time, in milliseconds since the epoch
 */
export async function dispatch(
  { env, sms }: { env: Env; sms: SmsStore },
  rows: StoredMessage[],
  order: Order,
  providers: Provider[],
  until = Date.now() + beginWithinMs,
): Promise<DispatchReport> {
  const clients = providers.map((provider) => {
    const { breaker, pacer } = sharedStateOf(env, provider.code)
    return new ProviderClient(provider, breaker, pacer)
  })
  const phones = new Map(rows.map(({ id, phone }) => [id, phone]))
  const writer = new LedgerWriter<LedgerEntry>(
    async (entries) => {
      const optOuts = Map.groupBy(entries.filter(isUnsubscribed), ({ provider }) => provider!)
      for (const [provider, group] of optOuts) {
        const blocked = group.flatMap(({ id }) => phones.get(id) ?? [])
        await blockUnsubscribed(sms, blocked, provider, new Date())
      }
      await recordEntries(sms, entries, order.text, new Date())
    },
    ({ state }) => state !== 'sending',
  )
  // With `force` a message also goes to a blacklisted phone. If the recipient has opted out, only the provider that reported
  // the opt-out is asked: another provider would not know of the opt-out.
  const optOuts = order.isForced ? await findUnsubscribed(sms, [...phones.values()]) : new Map<string, ProviderCode>()
  const claim = claimer(sms, rows, clients)
  const results = new Map<number, DispatchResult>()
  const send = async (row: StoredMessage) => {
    const isLate = Date.now() >= until
    const isOpen = clients.every(({ retryAfterMs }) => retryAfterMs > 0)
    const claimedBy = isLate || isOpen ? undefined : await claim(row)
    const unsent = isOpen && !isLate ? circuitOpen(row) : notAttempted(row)
    const optOut = optOuts.get(row.phone)
    const candidates = optOut ? clients.filter(({ provider }) => provider.code === optOut) : clients
    const result = claimedBy ? await offer(row, order, candidates, { until, claimedBy, writer, optOut }) : unsent
    results.set(row.id, result)
    writer.add(result).catch(() => undefined) // `finish` retries it.
    logResult(row, order, result)
  }
  const queue = rows.values()
  await Promise.all(Array.from({ length: maxConcurrentMessages }, () => each(queue, send)))
  await Promise.all([writer.finish(), ...clients.map((client) => client.finish())])
  const waits = clients.map(({ retryAfterMs }) => retryAfterMs / 1_000)
  return { results, retryAfter: Math.min(...waits) || undefined }
}

async function each<T>(queue: Iterator<T>, work: (item: T) => Promise<void>) {
  for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
}

interface OfferContext {
  until: number
  /** The provider that the database names for the message so far. */
  claimedBy: ProviderCode
  writer: LedgerWriter<LedgerEntry>
  /** The provider that reported that the recipient has opted out. */
  optOut: ProviderCode | undefined
}

/**
 * Offers a message to the providers in order, until the outcome is final (see `isFinal`) or the time limit is reached. Skips
 * providers whose circuits are open.
 */
async function offer(
  { id, phone }: StoredMessage,
  { kind, text, keepsText, receiptUrl, allowDuplicates }: Order,
  clients: ProviderClient[],
  { until, claimedBy, writer, optOut }: OfferContext,
): Promise<DispatchResult> {
  if (optOut && clients.length === 0) return unsubscribed({ id }, optOut)
  let last: DispatchResult | undefined
  let isOpen = false
  let recorded = claimedBy
  for (const client of clients) {
    const { code, isLog } = client.provider
    if (Date.now() >= until) break
    const { isAdmitted, isProbe } = await client.admit()
    isOpen ||= !isAdmitted
    if (!isAdmitted) continue
    const next: LedgerEntry = { ...(last ?? notAttempted({ id })), state: 'sending', reason: null, provider: code }
    if (code !== recorded && !(await recordAttempt(writer, next))) break
    recorded = code
    const message: Message = { id: String(id), kind, phone, text, receiptUrl: receiptUrl(client.provider) }
    const timeoutMs = allowDuplicates && client !== clients.at(-1) ? failoverTimeoutMs : providerTimeoutMs
    const outcome = await client.send(message, { until, timeoutMs, isProbe })
    if (outcome) last = merge(last, { id, provider: code, keepsText: keepsText && isLog, ...entryOf(outcome) })
    if (outcome && isFinal(outcome, allowDuplicates)) break
  }
  return last ?? (isOpen && Date.now() < until ? circuitOpen({ id }) : notAttempted({ id }))
}

/** Whether no other provider may be asked: the message was sent, may have been sent, or its recipient has opted out. */
const isFinal = (outcome: ProviderOutcome, allowDuplicates: boolean) =>
  outcome.state === 'refused' ? outcome.reason === 'unsubscribed' : outcome.state === 'sent' || !allowDuplicates

/**
 * Combines the outcomes of two providers. If the first provider may have sent the message, an error of the second one does not
 * change that.
 */
const merge = (before: DispatchResult | undefined, now: DispatchResult): DispatchResult =>
  before?.state === 'unknown' && now.state === 'failed' ? before : now

/**
 * Records which provider is asked next before asking it, so that the database names it after a crash. Returns false if the
 * write fails; then the provider must not be asked.
 */
const recordAttempt = (writer: LedgerWriter<LedgerEntry>, entry: LedgerEntry) =>
  writer.add(entry).then(
    () => true,
    () => false,
  )

function entryOf(outcome: ProviderOutcome): Pick<DispatchResult, 'state' | 'reason' | 'provider_id' | 'segments'> {
  if (outcome.state === 'refused') {
    const state = outcome.reason === 'unsubscribed' ? 'blacklisted' : 'failed'
    return { state, reason: outcome.reason, provider_id: null, segments: null }
  }
  const provider_id = outcome.provider_id ? storedId(outcome.provider_id) : null
  if (outcome.state === 'unknown') return { state: 'unknown', reason: outcome.reason, provider_id, segments: null }
  return { state: 'sent', reason: null, provider_id, segments: outcome.segments ?? null }
}

const unsent = (id: number, reason: string): DispatchResult => ({
  ...{ id, state: 'failed', reason, provider: null, provider_id: null, segments: null },
  keepsText: false,
})

const unsubscribed = ({ id }: Pick<StoredMessage, 'id'>, provider: ProviderCode): DispatchResult => ({
  ...unsent(id, 'unsubscribed'),
  ...{ state: 'blacklisted', provider },
})

const isUnsubscribed = ({ state, provider }: LedgerEntry) => state === 'blacklisted' && provider !== null

export const notAttempted = ({ id }: Pick<StoredMessage, 'id'>): DispatchResult => unsent(id, 'not_attempted')

const circuitOpen = ({ id }: Pick<StoredMessage, 'id'>): DispatchResult => unsent(id, 'circuit_open')

/** Logs the outcome of a message. The phone is masked and the text left out, since they are personal data. */
const logResult = (
  { id, phone }: StoredMessage,
  { kind, segments }: Order,
  { state, reason, provider, ...result }: DispatchResult,
) =>
  log('info', {
    ...{ component: 'sms', kind, id, provider, phone: masked(phone), segments: result.segments ?? segments, state },
    ...(reason && { reason }),
  })
