import { log } from '#core/http/log'
import { masked } from '#core/messages/phone'
import { claims } from './claims.ts'
import type { Kind, ProviderCode } from './contract.ts'
import { type Entered, type Entry, recordEntries, storedId } from './ledger.ts'
import { Line } from './line.ts'
import type { Message, Outcome } from './providers/provider.ts'
import type { Provider } from './providers.ts'
import { Recorder } from './recorder.ts'
import type { SmsStore } from './schema.ts'

/** As many connections as a Worker may have open at once. */
const atOnce = 6

/** Milliseconds within which a message must have begun; each then takes 15 seconds at most. */
const beginning = 85_000

/** What is sent to all. */
export interface Order {
  kind: Kind
  text: string
  segments: number | null
  /** Where a provider reports to. */
  receiptUrl(provider: Provider): string | undefined
  /** What a driver that sends nothing has taken can be read. */
  keepsText: boolean
}

/** What became of a message. */
export type Settled = Entry & { state: 'sent' | 'unknown' | 'failed' }

/**
 * Sends messages that were entered, a few at once, through the first of the providers that takes each, and writes down
 * what becomes of them as it comes. Gives all of it, also where it could not be written down.
 */
export async function dispatch(
  sms: SmsStore,
  rows: Entered[],
  order: Order,
  providers: Provider[],
  until = Date.now() + beginning,
): Promise<Map<number, Settled>> {
  const lines = providers.map((provider) => new Line(provider))
  const recorder = new Recorder<Entry>(
    (entries) => recordEntries(sms, entries, order.text, new Date()),
    ({ state }) => state !== 'sending',
  )
  const claim = claims(sms, rows, lines)
  const settled = new Map<number, Settled>()
  const send = async (row: Entered) => {
    const isOver = Date.now() >= until || lines.every((line) => line.isBroken)
    const claimed = isOver ? undefined : await claim(row)
    const result = claimed ? await pass(row, order, lines, { until, claimed, recorder }) : notAttempted(row)
    settled.set(row.id, result)
    recorder.add(result).catch(() => undefined) // Tried again at the end.
    report(row, order, result)
  }
  const queue = rows.values()
  await Promise.all(Array.from({ length: atOnce }, () => each(queue, send)))
  await recorder.finish()
  return settled
}

async function each<T>(queue: Iterator<T>, work: (item: T) => Promise<void>) {
  for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
}

interface Passage {
  until: number
  /** The provider that stands with the message. */
  claimed: ProviderCode
  recorder: Recorder<Entry>
}

/** Offers a message to one provider after the other until one has taken it, or may have. */
async function pass(
  { id, phone }: Entered,
  { kind, text, keepsText, receiptUrl }: Order,
  lines: Line[],
  { until, claimed, recorder }: Passage,
): Promise<Settled> {
  let last: Settled = notAttempted({ id })
  let standing = claimed
  for (const line of lines) {
    const { code, isLog } = line.provider
    if (line.isBroken || Date.now() >= until) continue
    if (code !== standing && !(await isNoted(recorder, { ...last, state: 'sending', reason: null, provider: code })))
      return last
    standing = code
    const message: Message = { id: String(id), kind, phone, text, receiptUrl: receiptUrl(line.provider) }
    const outcome = await line.ask(message, until)
    if (outcome) last = { id, provider: code, keepsText: keepsText && isLog, ...told(outcome) }
    if (last.state !== 'failed') return last
  }
  return last
}

/** Writes down who is asked next, so that after a crash it is known who may have the message. */
const isNoted = (recorder: Recorder<Entry>, entry: Entry) =>
  recorder.add(entry).then(
    () => true,
    () => false,
  )

function told(outcome: Outcome): Pick<Settled, 'state' | 'reason' | 'provider_id' | 'segments'> {
  if (outcome.state === 'refused') return { state: 'failed', reason: outcome.reason, provider_id: null, segments: null }
  const provider_id = outcome.provider_id ? storedId(outcome.provider_id) : null
  if (outcome.state === 'unknown') return { state: 'unknown', reason: outcome.reason, provider_id, segments: null }
  return { state: 'sent', reason: null, provider_id, segments: outcome.segments ?? null }
}

export const notAttempted = ({ id }: Pick<Entered, 'id'>): Settled => ({
  ...{ id, state: 'failed', reason: 'not_attempted', provider: null, provider_id: null, segments: null },
  keepsText: false,
})

const report = ({ id, phone }: Entered, { kind, segments }: Order, { state, reason, provider, ...taken }: Settled) =>
  log('info', {
    ...{ component: 'sms', kind, id, provider, phone: masked(phone), segments: taken.segments ?? segments, state },
    ...(reason && { reason }),
  })
