import type * as z from 'zod'
import { SmscRefusal, SmscTaken } from './contract.ts'
import type { Account, Driver, Message, ProviderOutcome, Reason, Receipt } from './driver.ts'
import { fieldsOf } from './fields.ts'
import { jsonIn, outcomeOf, type ProviderAnswer, requestProvider } from './request.ts'
import { digest, matchesAny } from './signature.ts'

/**
 * Driver that sends SMS and calls through smsc.ru: https://smsc.ru/api/http/send/sms/ and
 * https://smsc.ru/api/http/miscellaneous/callback/
 */
export const smsc: Driver = {
  kinds: ['sms', 'call'],

  missing(account) {
    if (account.variable('APIKEY')) return undefined
    if (!account.username) return 'USERNAME'
    return account.password ? undefined : 'PASSWORD'
  },

  async send(account, message, timeoutMs) {
    // The gateway chooses the message's id, so that a receipt finds the message even if the provider's reply was lost. A UUID
    // stays unique if several systems share the account.
    const id = crypto.randomUUID()
    const url = `${account.url ?? 'https://smsc.ru'}/sys/send.php`
    const body = new URLSearchParams({ ...credentials(account), ...fields(account, message), id })
    const outcome = await requestProvider(url, { method: 'POST', body }, timeoutMs, outcomeFrom)
    return outcome.state === 'unknown' ? { ...outcome, provider_id: id } : outcome
  },

  async verifyReceipt(account, request) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const receipt = fieldsOf(request)
    const signed = [receipt.get('id'), receipt.get('phone'), receipt.get('status'), secret].join(':')
    // A signature by crc32, which smsc.ru also offers, is not accepted: a client that has seen one can forge others.
    const matches = (['sha1', 'md5'] as const).map((name) =>
      matchesAny(receipt.get(name)?.toLowerCase(), [digest(name, signed)]),
    )
    return (await Promise.all(matches)).includes(true)
  },

  readReceipt(_, request) {
    const receipt = fieldsOf(request)
    const id = receipt.get('id')
    const status = receipt.get('status')
    if (!id || !status || !/^-?\d+$/.test(status)) return undefined
    const error = receipt.get('err')
    return { provider_id: id, state: states[status] ?? 'unknown', code: error && error !== '0' ? error : status }
  },
}

const credentials = (account: Account): Record<string, string> => {
  const apikey = account.variable('APIKEY')
  return apikey ? { apikey } : { login: account.username, psw: account.password }
}

function fields(account: Account, { kind, phone, text }: Message): Record<string, string> {
  const sender = kind === 'call' ? (account.variable('CALLER') ?? '') : account.sender
  return {
    // Without the plus, smsc.ru could take the number for a local one and change it into another person's number.
    phones: `+${phone}`,
    mes: text,
    charset: 'utf-8',
    fmt: '3',
    ...(sender && { sender }),
    ...(kind === 'call' && { call: '1' }),
  }
}

function outcomeFrom(answer: ProviderAnswer): ProviderOutcome {
  const json = jsonIn(answer.text)
  const refusal = SmscRefusal.safeParse(json)
  if (refusal.success) return refused(refusal.data)
  const taken = SmscTaken.safeParse(json)
  if (answer.status !== 200 || !taken.success) return outcomeOf(answer)
  const { id, cnt } = taken.data
  return { state: 'sent', provider_id: String(id), ...(cnt && { segments: cnt }) }
}

function refused({ error_code, error = '' }: z.output<typeof SmscRefusal>): ProviderOutcome {
  const reason = reasons[error_code]
  if (!reason) return { state: 'unknown', reason: 'unavailable' }
  return { state: 'refused', reason, ...(error.includes('duplicate') && { retryAfter: 60 }) }
}

/** Maps smsc.ru's error codes to reasons: https://smsc.ru/api/http/send/sms/sms_answer/ */
const reasons: Record<number, Reason> = {
  1: 'rejected',
  2: 'credentials',
  3: 'balance',
  // smsc.ru error 4: the IP address is blocked for a while after many invalid requests.
  4: 'throttled',
  // smsc.ru error 5: a date in the request is invalid.
  5: 'rejected',
  6: 'forbidden',
  // smsc.ru errors 7 and 8: the number is invalid, or cannot be reached.
  7: 'phone',
  8: 'phone',
  // smsc.ru error 9: the same message twice within a minute ("duplicate request"), or too many concurrent requests.
  9: 'throttled',
}

/** Maps smsc.ru's states of messages to those of receipts: https://smsc.ru/api/http/status_messages/statuses/ */
const states: Record<string, Receipt['state']> = {
  '-3': 'unknown',
  '-2': 'rejected',
  '-1': 'accepted',
  '0': 'accepted',
  '1': 'delivered',
  '2': 'delivered',
  '3': 'expired',
  // smsc.ru state 4: the recipient has opened a link in the message, so the message was delivered.
  '4': 'delivered',
  '20': 'undelivered',
  '22': 'rejected',
  '23': 'rejected',
  '24': 'rejected',
  '25': 'undelivered',
}
