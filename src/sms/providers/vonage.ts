import { isGsm } from '#core/messages/segments'
import { VonageReply } from './contract.ts'
import type { Account, Driver, Message, ProviderOutcome, Reason, Receipt } from './driver.ts'
import { entryOf, fieldsOf } from './fields.ts'
import { jsonIn, outcomeOf, type ProviderAnswer, requestProvider, retryAfterIn } from './request.ts'
import { digest, hmac, matchesAny } from './signature.ts'

/**
 * Driver that sends SMS through Vonage: https://developer.vonage.com/en/api/sms and
 * https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts
 */
export const vonage: Driver = {
  kinds: ['sms'],

  missing(account) {
    if (!account.sender) return 'SENDER'
    if (!account.username) return 'USERNAME'
    return account.password ? undefined : 'PASSWORD'
  },

  send(account, message, timeoutMs) {
    const url = `${account.url ?? 'https://rest.nexmo.com'}/sms/json`
    const body = new URLSearchParams(fieldsFor(account, message))
    return requestProvider(url, { method: 'POST', body }, timeoutMs, outcomeFrom)
  },

  /**
   * Verifies Vonage's signature of a receipt, with any algorithm of
   * https://developer.vonage.com/en/getting-started/concepts/signing-messages.
   */
  async verifyReceipt(account, request) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const fields = new URLSearchParams(fieldsOf(request))
    const signature = fields.get('sig')?.toLowerCase()
    fields.delete('sig')
    fields.sort()
    const signed = [...fields].map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`).join('')
    const keyed = (['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) => hmac(name, secret, signed))
    return matchesAny(signature, [digest('md5', signed + secret), ...keyed])
  },

  readReceipt(_, request) {
    const fields = fieldsOf(request)
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

const maxReferenceCharacters = 40

const fieldsFor = (account: Account, { id, phone, text, receiptUrl }: Message): Record<string, string> => ({
  api_key: account.username,
  api_secret: account.password,
  from: account.sender.replace(/^\+/, ''),
  to: phone,
  text,
  type: isGsm(text) ? 'text' : 'unicode',
  ...(id.length <= maxReferenceCharacters && { 'client-ref': id }),
  ...(receiptUrl && { callback: receiptUrl, 'status-report-req': 'true' }),
})

/** Outcome of a text. Vonage splits a long text into parts; if it accepted only some of them, the outcome is `unknown`. */
function outcomeFrom(answer: ProviderAnswer): ProviderOutcome {
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
 * Maps Vonage's error codes to reasons: https://developer.vonage.com/en/messaging/sms/guides/troubleshooting-sms. Code 5 is
 * left out: after this internal error the message may have been accepted.
 */
const reasons: Record<string, Reason> = {
  1: 'throttled',
  // Vonage errors 2 and 3: a parameter is missing or invalid.
  2: 'rejected',
  3: 'rejected',
  4: 'credentials',
  // Vonage error 6: no mobile network has the number's prefix.
  6: 'phone',
  // Vonage error 7: "The number is blacklisted and may not receive" messages, which is an opt-out.
  7: 'unsubscribed',
  // Vonage error 8: the account is suspended.
  8: 'forbidden',
  9: 'balance',
  // Vonage error 10: too many concurrent connections.
  10: 'throttled',
  // Vonage error 11: the account may not use this API.
  11: 'forbidden',
  12: 'text',
  14: 'credentials',
  15: 'sender',
  // Vonage errors 22 and 23: the network code or the callback URL is invalid.
  22: 'rejected',
  23: 'rejected',
  // Vonage error 29: a demo account may only write to listed numbers.
  29: 'forbidden',
  32: 'credentials',
  // Vonage error 33: the number is deactivated.
  33: 'phone',
}

/**
 * Error code of a receipt that reports an opt-out:
 * https://developer.vonage.com/en/opt-out-assist/guides/messaging-opted-out-numbers
 */
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
