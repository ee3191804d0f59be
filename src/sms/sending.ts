import { open } from '#core/db/open'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { countSegments } from '#core/messages/segments'
import { counter } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import type { Kind, ProviderCode, SentMessage } from './contract.ts'
import { type DispatchResult, dispatch, notAttempted } from './dispatch.ts'
import { failure } from './errors.ts'
import { type Entered, enterMessages, recordEntries } from './ledger.ts'
import { type Provider, routeOf } from './providers.ts'
import { receiptUrlOf } from './receipt-url.ts'
import { type SmsStore, schema } from './schema.ts'

interface Asked {
  kind: Kind
  phones: string[]
  message: string
  force: boolean
  allow_duplicates?: boolean
  provider?: ProviderCode | undefined
}

interface Around {
  ctx: ExecutionContext
  /** Where the request went. */
  base: string
  markPointOfNoReturn: MarkPointOfNoReturn
}

/**
 * Sends a text to phones, or speaks it, and says what became of each, in their order. Goes on for a while when the caller
 * gives up. 502 if certainly nobody got anything, or with `allow_duplicates` nobody is known to have got anything.
 */
export function sendMessages(env: Env, asked: Asked, around: Around): Promise<{ messages: SentMessage[] }> {
  const providers = routeOf(env, asked.kind, asked.provider)
  const sent = send(env, asked, providers, around)
  around.ctx.waitUntil(sent.catch(() => undefined))
  return sent
}

async function send(env: Env, asked: Asked, providers: Provider[], { base, markPointOfNoReturn }: Around) {
  const { kind, phones, message: text, force, allow_duplicates: allowDuplicates = false } = asked
  const sms = open(env, schema)
  const segments = kind === 'sms' ? countSegments(text) : null
  const entered = await enterMessages(sms, { kind, phones, segments, force, provider: providers[0]!.code }, new Date())
  const rows = entered.filter(({ state }) => state !== 'blacklisted')
  if (rows.length > 0) await commitOrGiveUp(sms, rows, markPointOfNoReturn)
  const receiptUrl = (provider: Provider) => receiptUrlOf(env, base, provider)
  const order = { kind, text, segments, isForced: force, allowDuplicates, receiptUrl, keepsText: env.LOCAL === 'true' }
  const { settled, retryAfter } = await dispatch({ env, sms }, rows, order, providers)
  const messages = entered.map((row) => told(row, segments, settled.get(row.id)))
  const mayRepeat = ({ state }: SentMessage) => state === 'failed' || (allowDuplicates && state === 'unknown')
  if (!messages.every(mayRepeat)) return { messages }
  throw failure(`${kind}_failed`, 'No provider is known to have taken any of the messages.', {
    content: { messages },
    undone: true,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

const countMessage = counter(
  'quartermaster_sms_messages_total',
  'Text messages and calls, by what came of them: sent, unknown, failed or blacklisted.',
)

/** From here on a repeat with the same key must not send again. Where one has taken this request's place nothing is sent. */
async function commitOrGiveUp(sms: SmsStore, rows: Entered[], markPointOfNoReturn: MarkPointOfNoReturn): Promise<void> {
  try {
    await markPointOfNoReturn()
  } catch (error) {
    await recordEntries(sms, rows.map(notAttempted), '', new Date())
    throw error
  }
}

function told({ id, phone }: Entered, counted: number | null, settled: DispatchResult | undefined): SentMessage {
  countMessage({ state: settled?.state ?? 'blacklisted' })
  if (!settled) return { id, phone, state: 'blacklisted', provider: null, provider_id: null, segments: counted }
  const { state, provider, provider_id, segments, reason } = settled
  return { id, phone, state, provider, provider_id, segments: segments ?? counted, ...(reason && { reason }) }
}
