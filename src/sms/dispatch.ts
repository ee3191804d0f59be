import { log } from '#core/http/log'
import { masked } from '#core/messages/phone'
import type { Env } from './bindings.ts'
import { blockUnsubscribed, findUnsubscribed } from './blacklist.ts'
import { sharedOf } from './breaker.ts'
import { claims } from './claims.ts'
import type { Kind, ProviderCode } from './contract.ts'
import { type Entered, type LedgerEntry, recordEntries, storedId } from './ledger.ts'
import { ProviderClient, providerTimeoutMs } from './provider-client.ts'
import type { Message, ProviderOutcome } from './providers/provider.ts'
import type { Provider } from './providers.ts'
import { Recorder } from './recorder.ts'
import type { SmsStore } from './schema.ts'

/** As many connections as a Worker may have open at once. */
const concurrency = 6

/** Within which time a message must have begun; each then takes `providerTimeoutMs` at most. */
const beginWithinMs = 85_000

/** How long a provider has for a message that may be offered to the next one without harm. */
const failoverTimeoutMs = 4_000

/** What is sent to all. */
interface Order {
  kind: Kind
  text: string
  segments: number | null
  /** It goes to phones on the blacklist too. */
  isForced: boolean
  /** A message whose outcome is unknown is offered to the next provider. */
  allowDuplicates: boolean
  /** Where a provider reports to. */
  receiptUrl(provider: Provider): string | undefined
  /** What a driver that sends nothing has taken can be read. */
  keepsText: boolean
}

/** What became of a message. */
export type DispatchResult = LedgerEntry & { state: 'sent' | 'unknown' | 'failed' | 'blacklisted' }

interface Dispatched {
  /** By the ids of the messages. */
  settled: Map<number, DispatchResult>
  /** Seconds until the first circuit lets a message pass; `undefined` if one does now. */
  retryAfter: number | undefined
}

/**
 * Sends messages that were entered, a few at once, through the first of the providers that takes each, and records the
 * outcomes as they come. Gives all of them, also if they could not be recorded.
 */
export async function dispatch(
  { env, sms }: { env: Env; sms: SmsStore },
  rows: Entered[],
  order: Order,
  providers: Provider[],
  until = Date.now() + beginWithinMs,
): Promise<Dispatched> {
  const clients = providers.map((provider) => {
    const { breaker, pacer } = sharedOf(env, provider.code)
    return new ProviderClient(provider, breaker, pacer)
  })
  const phones = new Map(rows.map(({ id, phone }) => [id, phone]))
  const recorder = new Recorder<LedgerEntry>(
    async (entries) => {
      for (const [provider, some] of Map.groupBy(entries.filter(isUnsubscribed), ({ provider }) => provider!))
        await blockUnsubscribed(
          sms,
          some.flatMap(({ id }) => phones.get(id) ?? []),
          provider,
          new Date(),
        )
      await recordEntries(sms, entries, order.text, new Date())
    },
    ({ state }) => state !== 'sending',
  )
  // A message with `force` goes to phones of the blacklist too, but not around a provider that has the recipient's STOP.
  const stops = order.isForced ? await findUnsubscribed(sms, [...phones.values()]) : new Map<string, ProviderCode>()
  const claim = claims(sms, rows, clients)
  const settled = new Map<number, DispatchResult>()
  const send = async (row: Entered) => {
    const isOver = Date.now() >= until
    const isOpen = clients.every(({ retryAfterMs }) => retryAfterMs > 0)
    const claimed = isOver || isOpen ? undefined : await claim(row)
    const unsent = isOpen && !isOver ? circuitOpen(row) : notAttempted(row)
    const stop = stops.get(row.phone)
    const asked = stop ? clients.filter(({ provider }) => provider.code === stop) : clients
    const result = claimed ? await pass(row, order, asked, { until, claimed, recorder, stop }) : unsent
    settled.set(row.id, result)
    recorder.add(result).catch(() => undefined) // Tried again at the end.
    report(row, order, result)
  }
  const queue = rows.values()
  await Promise.all(Array.from({ length: concurrency }, () => each(queue, send)))
  await Promise.all([recorder.finish(), ...clients.map((client) => client.finish())])
  const waits = clients.map(({ retryAfterMs }) => retryAfterMs / 1_000)
  return { settled, retryAfter: Math.min(...waits) || undefined }
}

async function each<T>(queue: Iterator<T>, work: (item: T) => Promise<void>) {
  for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
}

interface Passage {
  until: number
  /** The provider that stands with the message. */
  claimed: ProviderCode
  recorder: Recorder<LedgerEntry>
  /** Through whom the recipient has opted out. */
  stop: ProviderCode | undefined
}

/** Offers a message to one provider after the other until one has taken it, or nobody else may be asked. */
async function pass(
  { id, phone }: Entered,
  { kind, text, keepsText, receiptUrl, allowDuplicates }: Order,
  clients: ProviderClient[],
  { until, claimed, recorder, stop }: Passage,
): Promise<DispatchResult> {
  if (stop && clients.length === 0) return unsubscribed({ id }, stop)
  let last: DispatchResult | undefined
  let isOpen = false
  let standing = claimed
  for (const client of clients) {
    const { code, isLog } = client.provider
    if (Date.now() >= until) break
    const { isAdmitted, isProbe } = await client.admit()
    isOpen ||= !isAdmitted
    if (!isAdmitted) continue
    const next: LedgerEntry = { ...(last ?? notAttempted({ id })), state: 'sending', reason: null, provider: code }
    if (code !== standing && !(await isNoted(recorder, next))) break
    standing = code
    const message: Message = { id: String(id), kind, phone, text, receiptUrl: receiptUrl(client.provider) }
    const timeoutMs = allowDuplicates && client !== clients.at(-1) ? failoverTimeoutMs : providerTimeoutMs
    const outcome = await client.send(message, { until, timeoutMs, isProbe })
    if (outcome) last = better(last, { id, provider: code, keepsText: keepsText && isLog, ...entryOf(outcome) })
    if (outcome && isFinal(outcome, allowDuplicates)) break
  }
  return last ?? (isOpen && Date.now() < until ? circuitOpen({ id }) : notAttempted({ id }))
}

/** Nobody else is asked: the message was taken, may have been, or its recipient wants none. */
const isFinal = (outcome: ProviderOutcome, allowDuplicates: boolean) =>
  outcome.state === 'refused' ? outcome.reason === 'unsubscribed' : outcome.state === 'sent' || !allowDuplicates

/** Of two outcomes of a message the one that says more: a refusal does not take back that another provider may have it. */
const better = (before: DispatchResult | undefined, now: DispatchResult): DispatchResult =>
  before?.state === 'unknown' && now.state === 'failed' ? before : now

/** Records who is asked next, so that after a crash it is known who may have the message. */
const isNoted = (recorder: Recorder<LedgerEntry>, entry: LedgerEntry) =>
  recorder.add(entry).then(
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

const unsubscribed = ({ id }: Pick<Entered, 'id'>, provider: ProviderCode): DispatchResult => ({
  ...unsent(id, 'unsubscribed'),
  ...{ state: 'blacklisted', provider },
})

const isUnsubscribed = ({ state, provider }: LedgerEntry) => state === 'blacklisted' && provider !== null

export const notAttempted = ({ id }: Pick<Entered, 'id'>): DispatchResult => unsent(id, 'not_attempted')

const circuitOpen = ({ id }: Pick<Entered, 'id'>): DispatchResult => unsent(id, 'circuit_open')

const report = (
  { id, phone }: Entered,
  { kind, segments }: Order,
  { state, reason, provider, ...taken }: DispatchResult,
) =>
  log('info', {
    ...{ component: 'sms', kind, id, provider, phone: masked(phone), segments: taken.segments ?? segments, state },
    ...(reason && { reason }),
  })
