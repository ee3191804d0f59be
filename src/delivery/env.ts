import type { DatabaseEnv } from '#core/db/open'
import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'
import { defaultRetentionMs, type RetryEnv, retryDaysMs, retryKeysMs } from '#core/http/retention'
import type { Retention } from './ledger/keys.ts'

/** The variables that the deliveries read. */
export interface DeliveryVariables extends CoreEnv, RetryEnv {
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  FEED_URL?: string
  QUEUE_TOKEN?: string
  SMS_TOKEN?: string
  EMAIL_TOKEN?: string
  FEED_TOKEN?: string
  /** The component's own address, where the queue calls it back. */
  SELF_URL?: string
  /** What the queue's own calls are proven by. */
  DELIVERY_SECRET?: string
  /** The queue's worker that sends; `delivery` unless given. */
  DELIVERY_QUEUE_WORKER?: string
  /** Milliseconds that a daemon of that worker pauses after each of its requests; none unless given. */
  DELIVERY_QUEUE_SLEEP?: string
  /** Seconds that a `data_url` may be silent; 15 unless given. */
  DELIVERY_DATA_TIMEOUT?: string
  /** The locale of a text where there is none for a recipient's. */
  NOTIFY_DEFAULT_LOCALE?: string
}

/** What a ledger needs bound: its delivery's row, and the queue. */
export interface CourierEnv extends DatabaseEnv, DeliveryVariables {
  QUEUE?: Fetcher
}

/** What the queue's own calls are proven by; 503 where it is missing. */
export function secretOf({ DELIVERY_SECRET }: DeliveryVariables): string {
  if (!DELIVERY_SECRET) throw notConfigured('Set DELIVERY_SECRET, the key that signs callbacks of the queue.')
  return DELIVERY_SECRET
}

/** Where the queue calls back, without a slash at its end. */
export function selfUrl({ SELF_URL, BASE_URL }: DeliveryVariables): string {
  const url = SELF_URL || (BASE_URL && addressOf(BASE_URL, 'delivery'))
  if (!url) throw notConfigured('Set SELF_URL or BASE_URL to the URL at which the queue calls this component.')
  return url.replace(/\/+$/, '')
}

/** The queue's worker that sends, and its pause. */
export const workerOf = ({ DELIVERY_QUEUE_WORKER, DELIVERY_QUEUE_SLEEP }: DeliveryVariables) => ({
  worker: DELIVERY_QUEUE_WORKER || 'delivery',
  sleep: wholeNumber('DELIVERY_QUEUE_SLEEP', DELIVERY_QUEUE_SLEEP || '0', 3_600_000),
})

/** How long a `data_url` may be silent, in milliseconds. */
export const dataTimeout = ({ DELIVERY_DATA_TIMEOUT }: DeliveryVariables): number =>
  1_000 * Math.max(1, wholeNumber('DELIVERY_DATA_TIMEOUT', DELIVERY_DATA_TIMEOUT || '15', 60))

/** For how long the ledgers, and the channels that take idempotency keys, keep what a retry needs. */
export const retentionOf = (env: DeliveryVariables): Retention => ({
  recipientsMs: retryDaysMs(env),
  keysMs: { email: retryKeysMs(env), sms: retryKeysMs(env), feed: defaultRetentionMs },
})

/** The locale of a text where there is none for a recipient's; the first that the text has, where it is empty. */
export const defaultLocale = ({ NOTIFY_DEFAULT_LOCALE = '' }: DeliveryVariables): string => NOTIFY_DEFAULT_LOCALE

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: DeliveryVariables): void {
  secretOf(env)
  workerOf(env)
  dataTimeout(env)
  retryDaysMs(env)
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  throw notConfigured(`${name} must be a whole number, at most ${most}.`)
}
