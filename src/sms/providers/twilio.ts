import type * as z from 'zod'
import { TwilioCreated, TwilioRefusal } from './contract.ts'
import type { Account, Driver, Message, ProviderOutcome, Receipt } from './driver.ts'
import { entryOf, fieldsOf } from './fields.ts'
import { basic, jsonIn, outcomeOf, type ProviderAnswer, requestProvider } from './request.ts'
import { hmac, matchesAny } from './signature.ts'
import { reasons } from './twilio-errors.ts'
import { twimlOf } from './twiml.ts'

/**
 * Driver that sends SMS and calls through Twilio: https://www.twilio.com/docs/messaging/api/message-resource and
 * https://www.twilio.com/docs/voice/api/call-resource. `USERNAME` is the account, or an API key of the account that the
 * variable `ACCOUNT` names.
 */
export const twilio: Driver = {
  kinds: ['sms', 'call'],

  missing(account) {
    if (!account.sender) return 'SENDER'
    if (!account.username) return 'USERNAME'
    if (!account.password) return 'PASSWORD'
    return sidOf(account) ? undefined : 'ACCOUNT'
  },

  async send(account, message, timeoutMs) {
    const request = message.kind === 'sms' ? messageOf(account, message) : callOf(account, message)
    if ('state' in request) return request
    const body = new URLSearchParams(request.fields)
    if (message.receiptUrl) body.set('StatusCallback', message.receiptUrl)
    const authorization = basic(account.username, account.password)
    const url = `${account.url ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${sidOf(account)}/${request.resource}.json`
    return requestProvider(url, { method: 'POST', headers: { authorization }, body }, timeoutMs, outcomeFrom)
  },

  /** Verifies Twilio's signature of a receipt: https://www.twilio.com/docs/usage/webhooks/webhooks-security */
  async verifyReceipt(account, received) {
    const token = tokenOf(account)
    if (!token) return undefined
    const fields = received.request.method === 'GET' ? new URLSearchParams() : fieldsOf(received)
    // Groups the fields once. `getAll` for each name would take quadratic time, and this code runs before the client is
    // authenticated.
    const byName = Map.groupBy(fields, ([name]) => name)
    const signed = [...byName.keys()]
      .sort()
      .flatMap((name) => [...new Set(byName.get(name)!.map(([, value]) => value))].sort().map((value) => name + value))
      .join('')
    const expected = urlVariants(received.url).map((url) => hmac('sha1', token, url + signed, 'base64'))
    return matchesAny(received.request.headers.get('x-twilio-signature'), expected)
  },

  readReceipt(_, request) {
    const fields = fieldsOf(request)
    const code = fields.get('ErrorCode')
    const read = (id: string | null, status: string | null, states: typeof messageStates) => {
      const known = entryOf(states, status ?? '')
      const state = known && reasons[Number(code)] === 'unsubscribed' ? 'unsubscribed' : known
      return id && state ? { provider_id: id, state, code: code || status } : undefined
    }
    return (
      read(fields.get('MessageSid'), fields.get('MessageStatus'), messageStates) ??
      read(fields.get('CallSid'), fields.get('CallStatus'), callStates)
    )
  },
}

const isKey = ({ username }: Account) => username.startsWith('SK')

const sidOf = (account: Account) => (isKey(account) ? account.variable('ACCOUNT') : account.username)

/** The token that signs receipts: the auth token of the account. Twilio never signs with the secret of an API key. */
const tokenOf = (account: Account) =>
  account.variable('RECEIPT_SECRET') ?? (isKey(account) ? undefined : account.password || undefined)

interface Resource {
  resource: 'Messages' | 'Calls'
  fields: Record<string, string>
}

function messageOf({ sender }: Account, { phone, text }: Message): Resource {
  const from: Record<string, string> = /^MG[0-9a-f]{32}$/i.test(sender)
    ? { MessagingServiceSid: sender }
    : { From: addressOf(sender) }
  return { resource: 'Messages', fields: { To: `+${phone}`, ...from, Body: text } }
}

const maxTwimlCharacters = 4_000

function callOf(account: Account, { phone, text }: Message): Resource | ProviderOutcome {
  const twiml = twimlOf(text, { language: account.variable('LANGUAGE'), voice: account.variable('VOICE') })
  if (twiml.length > maxTwimlCharacters) return { state: 'refused', reason: 'text' }
  const From = addressOf(account.variable('CALLER') ?? account.sender)
  return { resource: 'Calls', fields: { To: `+${phone}`, From, Twiml: twiml } }
}

/** The sender as Twilio expects it: a phone number with a plus. Short codes and names stay unchanged. */
const addressOf = (sender: string) => (/^\d{7,15}$/.test(sender) ? `+${sender}` : sender)

function outcomeFrom(answer: ProviderAnswer): ProviderOutcome {
  const json = jsonIn(answer.text)
  const general = outcomeOf(answer)
  if (answer.status >= 200 && answer.status < 300) {
    const created = TwilioCreated.safeParse(json)
    return created.success ? createdOutcome(created.data) : general
  }
  const refusal = TwilioRefusal.safeParse(json)
  const reason = refusal.success ? reasons[refusal.data.code] : undefined
  return general.state === 'refused' && reason ? { ...general, reason } : general
}

/**
 * Outcome of a message that Twilio has created. The status `failed` means that it could not be sent:
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
function createdOutcome({ sid, status, error_code, num_segments }: z.output<typeof TwilioCreated>): ProviderOutcome {
  if (status === 'failed') return { state: 'refused', reason: reasons[error_code ?? 0] ?? 'rejected' }
  return { state: 'sent', provider_id: sid, ...(num_segments && { segments: num_segments }) }
}

/** The URL with and without the default port, since Twilio may have signed either. */
function urlVariants({ href, protocol, host, port }: URL): string[] {
  const defaultPort = protocol === 'https:' ? 443 : 80
  return port ? [href] : [href, href.replace(`//${host}`, `//${host}:${defaultPort}`)]
}

type States = Record<string, Receipt['state']>

/**
 * Maps Twilio's states of text messages to those of receipts:
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
const messageStates: States = {
  accepted: 'accepted',
  scheduled: 'accepted',
  queued: 'accepted',
  sending: 'accepted',
  sent: 'accepted',
  delivered: 'delivered',
  read: 'delivered',
  partially_delivered: 'undelivered',
  undelivered: 'undelivered',
  failed: 'rejected',
  canceled: 'rejected',
}

/**
 * Maps Twilio's states of calls to those of receipts: https://www.twilio.com/docs/voice/api/call-resource#call-status-values
 */
const callStates: States = {
  queued: 'accepted',
  initiated: 'accepted',
  ringing: 'accepted',
  'in-progress': 'accepted',
  completed: 'delivered',
  busy: 'undelivered',
  'no-answer': 'undelivered',
  failed: 'undelivered',
  canceled: 'rejected',
}
