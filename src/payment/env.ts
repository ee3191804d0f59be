import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { objectionTo } from '#core/outgoing/url'

/** The variables that the payments read. */
export interface PaymentVariables extends CoreEnv {
  /** The merchant's public id at the processor, for the card page. */
  PAYMENT_PUBLIC_ID?: string
  /** The script of the processor's form on the card page; that of CloudPayments unless given. */
  PAYMENT_WIDGET_URL?: string
  /** Comma-separated origins that the form needs besides its script's own, such as `https://*.example.com`. */
  PAYMENT_WIDGET_HOSTS?: string
  /** Whom the card page says is paid; its own host unless given. */
  PAYMENT_MERCHANT_NAME?: string
  /** Comma-separated origins that the card page may send payers on to; any unless given. */
  PAYMENT_RETURN_ORIGINS?: string
  /** What the processor signs its notifications with. */
  PAYMENT_API_SECRET?: string
  /** The operator's endpoint that knows accounts; every account is accepted without it. */
  PAYMENT_CHECK_URL?: string
  /** The operator's endpoint that receives payments. */
  PAYMENT_WEBHOOK_URL?: string
  /** The key that webhooks are signed with; two or more while it is rotated, separated by spaces or commas. */
  PAYMENT_SIGNING_SECRET?: string
  /** The currency of a notification that names none; `RUB`, the processor's own default, unless given. */
  PAYMENT_CURRENCY?: string
  /** `true`: payments of the processor's test mode are stored and delivered, marked as tests. */
  PAYMENT_TEST?: string
  /** Days for which requests and webhooks are kept in the logs; 30 unless given. */
  PAYMENT_LOG_DAYS?: string
  /** How many requests of strangers the log keeps in an hour; 10 000 unless given, 0 keeps none. */
  PAYMENT_LOG_STRANGERS?: string
  /** Locally what stands in for the operator. */
  CATCHER_URL?: string
}

/** The currency of a notification that names none. */
export function currencyOf({ PAYMENT_CURRENCY }: Pick<PaymentVariables, 'PAYMENT_CURRENCY'>): string {
  const currency = PAYMENT_CURRENCY || 'RUB'
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw notConfigured('PAYMENT_CURRENCY must be a code of ISO 4217, such as KZT')
}

/** Whether payments of the processor's test mode are taken. */
export function takesTests({ PAYMENT_TEST = '' }: Pick<PaymentVariables, 'PAYMENT_TEST'>): boolean {
  if (['', '0', 'false'].includes(PAYMENT_TEST)) return false
  if (['1', 'true'].includes(PAYMENT_TEST)) return true
  throw notConfigured('PAYMENT_TEST must be true or false')
}

const day = 86_400_000

/** Milliseconds for which requests and webhooks are kept in the logs. */
export function logTimeOf({ PAYMENT_LOG_DAYS }: Pick<PaymentVariables, 'PAYMENT_LOG_DAYS'>): number {
  const days = PAYMENT_LOG_DAYS || '30'
  if (/^[1-9]\d{0,3}$/.test(days)) return Number(days) * day
  throw notConfigured('PAYMENT_LOG_DAYS must be a whole number of days from 1 to 9999')
}

/** How many requests of strangers the log keeps in an hour. */
export function strangersOf({ PAYMENT_LOG_STRANGERS }: Pick<PaymentVariables, 'PAYMENT_LOG_STRANGERS'>): number {
  const requests = PAYMENT_LOG_STRANGERS || '10000'
  if (/^\d{1,7}$/.test(requests)) return Number(requests)
  throw notConfigured('PAYMENT_LOG_STRANGERS must be a whole number of requests from 0 to 9999999')
}

/** Where accounts are asked about; nothing where every account is accepted. */
export const checkUrlOf = (env: PaymentVariables) => addressIn(env, 'PAYMENT_CHECK_URL', env.PAYMENT_CHECK_URL)

/** Where payments are told; nothing where nobody wants to know. On a local start the catcher stands in, unless it is set. */
export function webhookUrlOf(env: PaymentVariables): string | undefined {
  const { PAYMENT_WEBHOOK_URL, CATCHER_URL, LOCAL } = env
  const isCaught = PAYMENT_WEBHOOK_URL === undefined && LOCAL === 'true' && CATCHER_URL
  return addressIn(env, 'PAYMENT_WEBHOOK_URL', isCaught ? `${CATCHER_URL}/payments` : PAYMENT_WEBHOOK_URL)
}

function addressIn(env: PaymentVariables, name: string, url: string | undefined): string | undefined {
  if (!url) return undefined
  const objection = objectionTo(url, env)
  if (!objection) return url
  throw notConfigured(`${name} is not an address that may be called: ${objection.toLowerCase()}`)
}

/** The keys that webhooks are signed with, if any. */
export function signingKeysOf({ PAYMENT_SIGNING_SECRET = '' }: Pick<PaymentVariables, 'PAYMENT_SIGNING_SECRET'>) {
  return PAYMENT_SIGNING_SECRET.split(/[\s,]+/)
    .filter(Boolean)
    .map((secret) => {
      const key = keyOf(secret)
      if (key) return key
      throw notConfigured('PAYMENT_SIGNING_SECRET must be 24 to 64 bytes in base64, after whsec_ or without it')
    })
}

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: PaymentVariables): void {
  currencyOf(env)
  takesTests(env)
  logTimeOf(env)
  strangersOf(env)
  checkUrlOf(env)
  webhookUrlOf(env)
  signingKeysOf(env)
}
