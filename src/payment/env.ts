// Environment variables of the payment component: their types, defaults and checks.
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { objectionTo } from '#core/outgoing/url'

/** The variables, all optional, as the deployment sets them. */
export interface PaymentVariables extends CoreEnv {
  /** The merchant's public id at the processor, for the card page. */
  PAYMENT_PUBLIC_ID?: string
  /** URL of the script of the processor's card form. By default the one of CloudPayments. */
  PAYMENT_WIDGET_URL?: string
  /** Comma-separated origins that the card form needs in addition to its script's origin, such as `https://*.example.com`. */
  PAYMENT_WIDGET_HOSTS?: string
  /** Recipient shown on the card page. By default the host of the page. */
  PAYMENT_MERCHANT_NAME?: string
  /** Comma-separated origins that the card page may redirect payers to. By default any origin. */
  PAYMENT_RETURN_ORIGINS?: string
  /** Secret with which the processor signs its notifications. */
  PAYMENT_API_SECRET?: string
  /** Endpoint of the merchant that checks accounts. Without it, every account is accepted. */
  PAYMENT_CHECK_URL?: string
  /** Endpoint of the merchant that receives the webhooks. */
  PAYMENT_WEBHOOK_URL?: string
  /** Keys that webhooks are signed with, separated by spaces or commas: one, or several during a rotation. */
  PAYMENT_SIGNING_SECRET?: string
  /** Currency of notifications without `Currency`. By default `RUB`, the processor's default. */
  PAYMENT_CURRENCY?: string
  /** `true`: payments of the processor's test mode are stored and delivered, marked as tests. By default they are refused. */
  PAYMENT_TEST?: string
  /** Retention of logged requests and webhooks in days. By default 30. */
  PAYMENT_LOG_DAYS?: string
  /** Unauthenticated requests that are logged per hour. By default 10 000; with 0, none. */
  PAYMENT_LOG_STRANGERS?: string
  /** `true`: erasing a person also erases payments and their logs. By default they are kept, as the law requires. */
  ERASE_PAYMENTS?: string
  /** URL of the catcher, which stands in for the merchant on a local start. */
  CATCHER_URL?: string
}

/** Currency of a notification without one. */
export function currencyOf({ PAYMENT_CURRENCY }: Pick<PaymentVariables, 'PAYMENT_CURRENCY'>): string {
  const currency = PAYMENT_CURRENCY || 'RUB'
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw notConfigured('PAYMENT_CURRENCY must be a currency code (ISO 4217), such as KZT.')
}

/** Whether payments of the processor's test mode are accepted. */
export function acceptsTests({ PAYMENT_TEST = '' }: Pick<PaymentVariables, 'PAYMENT_TEST'>): boolean {
  if (['', '0', 'false'].includes(PAYMENT_TEST)) return false
  if (['1', 'true'].includes(PAYMENT_TEST)) return true
  throw notConfigured('PAYMENT_TEST must be true or false.')
}

/** Whether erasing a person also erases payments and their logs. */
export function erasesPayments({ ERASE_PAYMENTS = '' }: Pick<PaymentVariables, 'ERASE_PAYMENTS'>): boolean {
  if (['', '0', 'false'].includes(ERASE_PAYMENTS)) return false
  if (['1', 'true'].includes(ERASE_PAYMENTS)) return true
  throw notConfigured('ERASE_PAYMENTS must be true or false.')
}

const dayMs = 86_400_000

/** Retention of the logs in milliseconds. */
export function logRetentionMsOf({ PAYMENT_LOG_DAYS }: Pick<PaymentVariables, 'PAYMENT_LOG_DAYS'>): number {
  const days = PAYMENT_LOG_DAYS || '30'
  if (/^[1-9]\d{0,3}$/.test(days)) return Number(days) * dayMs
  throw notConfigured('PAYMENT_LOG_DAYS must be a whole number of days between 1 and 9999.')
}

/** Unauthenticated requests that are logged per hour. */
export function unauthenticatedQuotaOf({
  PAYMENT_LOG_STRANGERS,
}: Pick<PaymentVariables, 'PAYMENT_LOG_STRANGERS'>): number {
  const requests = PAYMENT_LOG_STRANGERS || '10000'
  if (/^\d{1,7}$/.test(requests)) return Number(requests)
  throw notConfigured('PAYMENT_LOG_STRANGERS must be a whole number of requests between 0 and 9999999.')
}

/** URL that checks accounts; undefined if every account is accepted. */
export const checkUrlOf = (env: PaymentVariables) => outgoingUrl(env, 'PAYMENT_CHECK_URL', env.PAYMENT_CHECK_URL)

/** URL that receives webhooks; undefined if none is sent. On a local start without PAYMENT_WEBHOOK_URL, that of the catcher. */
export function webhookUrlOf(env: PaymentVariables): string | undefined {
  const { PAYMENT_WEBHOOK_URL, CATCHER_URL, LOCAL } = env
  const isCaught = PAYMENT_WEBHOOK_URL === undefined && LOCAL === 'true' && CATCHER_URL
  return outgoingUrl(env, 'PAYMENT_WEBHOOK_URL', isCaught ? `${CATCHER_URL}/payments` : PAYMENT_WEBHOOK_URL)
}

function outgoingUrl(env: PaymentVariables, name: string, url: string | undefined): string | undefined {
  if (!url) return undefined
  const objection = objectionTo(url, env)
  if (!objection) return url
  throw notConfigured(`${name} ${objection[0]!.toLowerCase()}${objection.slice(1)}.`)
}

/** Keys that webhooks are signed with; an empty array if webhooks are not signed. */
export function signingKeysOf({ PAYMENT_SIGNING_SECRET = '' }: Pick<PaymentVariables, 'PAYMENT_SIGNING_SECRET'>) {
  return PAYMENT_SIGNING_SECRET.split(/[\s,]+/)
    .filter(Boolean)
    .map((secret) => {
      const key = keyOf(secret)
      if (key) return key
      throw notConfigured('PAYMENT_SIGNING_SECRET must be 24 to 64 bytes in base64, with or without the prefix whsec_.')
    })
}

/** Throws 503 `not_configured` if a variable is not valid, so that no request is served with a wrong configuration. */
export function checkConfiguration(env: PaymentVariables): void {
  currencyOf(env)
  acceptsTests(env)
  erasesPayments(env)
  logRetentionMsOf(env)
  unauthenticatedQuotaOf(env)
  checkUrlOf(env)
  webhookUrlOf(env)
  signingKeysOf(env)
}
