import { isGsm } from '#core/messages/segments'
import { ask, jsonIn, outcomeOf, type ProviderAnswer, retryAfterIn } from './ask.ts'
import { VonageReply } from './contract.ts'
import { entryOf, fieldsOf } from './fields.ts'
import { digest, hmac, isAmong } from './proof.ts'
import type { Account, Driver, Message, ProviderOutcome, Reason, Receipt } from './provider.ts'

/**
 * The SMS API of Vonage: https://developer.vonage.com/en/api/sms, its receipts:
 * https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts
 */
export const vonage: Driver = {
  kinds: ['sms'],

  missing(account) {
    if (!account.sender) return 'SENDER'
    if (!account.username) return 'USERNAME'
    return account.password ? undefined : 'PASSWORD'
  },

  send(account, message, timeout) {
    const url = `${account.url ?? 'https://rest.nexmo.com'}/sms/json`
    const body = new URLSearchParams(fieldsFor(account, message))
    return ask(url, { method: 'POST', body }, timeout, understand)
  },

  /** https://developer.vonage.com/en/getting-started/concepts/signing-messages; its length tells by which algorithm. */
  async isProven(account, asked) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const fields = new URLSearchParams(fieldsOf(asked))
    const given = fields.get('sig')?.toLowerCase()
    fields.delete('sig')
    fields.sort()
    const signed = [...fields].map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`).join('')
    const keyed = (['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) => hmac(name, secret, signed))
    return isAmong(given, [digest('md5', signed + secret), ...keyed])
  },

  readReceipt(_, asked) {
    const fields = fieldsOf(asked)
    const id = fields.get('messageId')
    const status = fields.get('status')
    if (!id || !status) return undefined
    const error = fields.get('err-code')
    return {
      provider_id: id,
      state: error === optedOut ? 'unsubscribed' : (entryOf(states, status) ?? 'unknown'),
      code: error && error !== '0' ? error : status,
    }
  },
}

const longestReference = 40

const fieldsFor = (account: Account, { id, phone, text, receiptUrl }: Message): Record<string, string> => ({
  api_key: account.username,
  api_secret: account.password,
  from: account.sender.replace(/^\+/, ''),
  to: phone,
  text,
  type: isGsm(text) ? 'text' : 'unicode',
  ...(id.length <= longestReference && { 'client-ref': id }),
  ...(receiptUrl && { callback: receiptUrl, 'status-report-req': 'true' }),
})

/** A long text goes in parts. Where only some were taken, nobody else may send it again as a whole. */
function understand(answer: ProviderAnswer): ProviderOutcome {
  const reply = VonageReply.safeParse(jsonIn(answer.text))
  if (answer.status !== 200 || !reply.success) return outcomeOf(answer)
  const { messages } = reply.data
  const taken = messages.filter(({ status }) => status === '0')
  const id = taken[0]?.['message-id']
  if (taken.length === messages.length) return { state: 'sent', provider_id: id ?? null, segments: messages.length }
  const failures = messages.filter(({ status }) => status !== '0').map(({ status }) => entryOf(reasons, status))
  const reason = failures.find((one) => one !== undefined) ?? 'unavailable'
  const isCertain = taken.length === 0 && !failures.includes(undefined)
  if (!isCertain) return { state: 'unknown', reason, ...(id && { provider_id: id }) }
  const retryAfter = reason === 'throttled' ? retryAfterIn(answer.headers) : undefined
  return { state: 'refused', reason, ...(retryAfter !== undefined && { retryAfter }) }
}

/**
 * https://developer.vonage.com/en/messaging/sms/guides/troubleshooting-sms. Without 5, an internal error "whilst processing
 * this message": it may have been taken.
 */
const reasons: Record<string, Reason> = {
  1: 'throttled',
  // Parameters: missing, invalid.
  2: 'rejected',
  3: 'rejected',
  4: 'credentials',
  // Such as a prefix of no network.
  6: 'phone',
  // "The number is blacklisted and may not receive" messages.
  7: 'unsubscribed',
  // The account is suspended.
  8: 'forbidden',
  9: 'balance',
  // Too many connections.
  10: 'throttled',
  // The account is not for this API.
  11: 'forbidden',
  12: 'text',
  14: 'credentials',
  15: 'sender',
  // The network's code, the callback.
  22: 'rejected',
  23: 'rejected',
  // An account in demo mode writes to listed numbers only.
  29: 'forbidden',
  32: 'credentials',
  // The number is de-activated.
  33: 'phone',
}

/** https://developer.vonage.com/en/opt-out-assist/guides/messaging-opted-out-numbers */
const optedOut = '9'

const states: Record<string, Receipt['state']> = {
  accepted: 'accepted',
  buffered: 'accepted',
  delivered: 'delivered',
  expired: 'expired',
  failed: 'undelivered',
  rejected: 'rejected',
  unknown: 'unknown',
}
