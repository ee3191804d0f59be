import type { DatabaseEnv } from '#core/db/open'
import { cutoffOf } from '#core/db/retention'
import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'
import { defaultRetentionMs, type RetryEnv, retryDaysMs, retryKeysMs } from '#core/http/retention'
import type { Retention } from './ledger/keys.ts'

/** Environment variables of the deliveries. An `…_URL` with an `…_TOKEN` is the address of a component that is not bound. */
export interface DeliveryVariables extends CoreEnv, RetryEnv {
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  FEED_URL?: string
  QUEUE_TOKEN?: string
  SMS_TOKEN?: string
  EMAIL_TOKEN?: string
  FEED_TOKEN?: string
  /** The address of this component, at which the queue calls `/piece` and `/slice`. */
  SELF_URL?: string
  /** Secret of the proof, the signature by which the component recognizes calls of the queue. */
  DELIVERY_SECRET?: string
  /** Queue worker that holds the tasks of the deliveries. Default: `delivery`. */
  DELIVERY_QUEUE_WORKER?: string
  /** Pause of that worker's daemons after each request, in milliseconds. Default: 0. */
  DELIVERY_QUEUE_SLEEP?: string
  /** Idle timeout of a `data_url` in seconds. Default: 15. */
  DELIVERY_DATA_TIMEOUT?: string
  /** Locale to use for a text that has neither the recipient's locale nor its language. */
  NOTIFY_DEFAULT_LOCALE?: string
  /** Seconds after which an ended delivery is deleted. Unset: ended deliveries are kept. */
  DELIVERY_RETENTION?: string
}

/** What a ledger needs: the database with the delivery's row, the queue, and the variables. */
export interface LedgerEnv extends DatabaseEnv, DeliveryVariables {
  QUEUE?: Fetcher
}

/** The secret that signs the proof in calls of the queue. Throws 503 if it is missing. */
export function secretOf({ DELIVERY_SECRET }: DeliveryVariables): string {
  if (!DELIVERY_SECRET) throw notConfigured('Set DELIVERY_SECRET, the key that signs callbacks of the queue.')
  return DELIVERY_SECRET
}

/** The address at which the queue calls this component, without a trailing slash. Throws 503 if no variable has it. */
export function selfUrl({ SELF_URL, BASE_URL }: DeliveryVariables): string {
  const url = SELF_URL || (BASE_URL && addressOf(BASE_URL, 'delivery'))
  if (!url) throw notConfigured('Set SELF_URL or BASE_URL to the URL at which the queue calls this component.')
  return url.replace(/\/+$/, '')
}

/** The queue worker of the deliveries, and the pause of its daemons after each request, in milliseconds. */
export const workerOf = ({ DELIVERY_QUEUE_WORKER, DELIVERY_QUEUE_SLEEP }: DeliveryVariables) => ({
  worker: DELIVERY_QUEUE_WORKER || 'delivery',
  sleep: wholeNumber('DELIVERY_QUEUE_SLEEP', DELIVERY_QUEUE_SLEEP || '0', 3_600_000),
})

/** Idle timeout of a `data_url` in milliseconds. */
export const dataTimeout = ({ DELIVERY_DATA_TIMEOUT }: DeliveryVariables): number =>
  1_000 * Math.max(1, wholeNumber('DELIVERY_DATA_TIMEOUT', DELIVERY_DATA_TIMEOUT || '15', 60))

/** How long the data that a retry needs is kept: recipients in the ledgers, idempotency keys in the channels. */
export const retentionOf = (env: DeliveryVariables): Retention => ({
  recipientsMs: retryDaysMs(env),
  keysMs: { email: retryKeysMs(env), sms: retryKeysMs(env), feed: defaultRetentionMs },
})

/** Deliveries that ended before this time are deleted, unless they may still be retried. Undefined: all are kept. */
export function endedCutoff(env: DeliveryVariables, now: Date): Date | undefined {
  const cutoff = cutoffOf('DELIVERY_RETENTION', env.DELIVERY_RETENTION, now)
  return cutoff && new Date(Math.min(cutoff.getTime(), now.getTime() - retryDaysMs(env)))
}

/**
 * Locale to use for a text that has neither the recipient's locale nor its language. If empty, the first locale of the text is
 * used.
 */
export const defaultLocale = ({ NOTIFY_DEFAULT_LOCALE = '' }: DeliveryVariables): string => NOTIFY_DEFAULT_LOCALE

/**
 * Throws 503 if a variable is missing or invalid, so that a wrong configuration is found by the first call and not by the first
 * message.
 */
export function checkConfiguration(env: DeliveryVariables): void {
  secretOf(env)
  workerOf(env)
  dataTimeout(env)
  retryDaysMs(env)
  endedCutoff(env, new Date())
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number <= max) return number
  throw notConfigured(`${name} must be a whole number from 0 to ${max}.`)
}
