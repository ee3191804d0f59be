import type * as z from 'zod'
import { ask, jsonIn, outcomeOf, type ProviderAnswer } from './ask.ts'
import { SmscRefusal, SmscTaken } from './contract.ts'
import { fieldsOf } from './fields.ts'
import { digest, isAmong } from './proof.ts'
import type { Account, Driver, Message, ProviderOutcome, Reason, Receipt } from './provider.ts'

/** smsc.ru: https://smsc.ru/api/http/send/sms/ and, for receipts, https://smsc.ru/api/http/miscellaneous/callback/ */
export const smsc: Driver = {
  kinds: ['sms', 'call'],

  missing(account) {
    if (account.variable('APIKEY')) return undefined
    if (!account.username) return 'USERNAME'
    return account.password ? undefined : 'PASSWORD'
  },

  async send(account, message, timeout) {
    // Chosen here, so that a receipt finds its message even where the reply was lost; never twice, whoever shares the account.
    const id = crypto.randomUUID()
    const url = `${account.url ?? 'https://smsc.ru'}/sys/send.php`
    const body = new URLSearchParams({ ...credentials(account), ...fields(account, message), id })
    const outcome = await ask(url, { method: 'POST', body }, timeout, understand)
    return outcome.state === 'unknown' ? { ...outcome, provider_id: id } : outcome
  },

  async isProven(account, asked) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const given = fieldsOf(asked)
    const signed = [given.get('id'), given.get('phone'), given.get('status'), secret].join(':')
    // Not crc32: whoever has seen one can make others.
    const proofs = (['sha1', 'md5'] as const).map((name) =>
      isAmong(given.get(name)?.toLowerCase(), [digest(name, signed)]),
    )
    return (await Promise.all(proofs)).includes(true)
  },

  readReceipt(_, asked) {
    const given = fieldsOf(asked)
    const id = given.get('id')
    const status = given.get('status')
    if (!id || !status || !/^-?\d+$/.test(status)) return undefined
    const error = given.get('err')
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
    // Without its plus a number might be taken for a local one, and "corrected" into somebody else's.
    phones: `+${phone}`,
    mes: text,
    charset: 'utf-8',
    fmt: '3',
    ...(sender && { sender }),
    ...(kind === 'call' && { call: '1' }),
  }
}

function understand(answer: ProviderAnswer): ProviderOutcome {
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

/** https://smsc.ru/api/http/send/sms/sms_answer/ */
const reasons: Record<number, Reason> = {
  1: 'rejected',
  2: 'credentials',
  3: 'balance',
  // The address is blocked for a while, after many wrong requests.
  4: 'throttled',
  // A date.
  5: 'rejected',
  6: 'forbidden',
  // Not a number; one that cannot be reached.
  7: 'phone',
  8: 'phone',
  // The same message twice within a minute, a "duplicate request"; or too many requests at once.
  9: 'throttled',
}

/** https://smsc.ru/api/http/status_messages/statuses/ */
const states: Record<string, Receipt['state']> = {
  '-3': 'unknown',
  '-2': 'rejected',
  '-1': 'accepted',
  '0': 'accepted',
  '1': 'delivered',
  '2': 'delivered',
  '3': 'expired',
  // A link in it was followed.
  '4': 'delivered',
  '20': 'undelivered',
  '22': 'rejected',
  '23': 'rejected',
  '24': 'rejected',
  '25': 'undelivered',
}
