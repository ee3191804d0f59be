import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import type { RetryEnv } from '#core/http/retention'
import { ProviderCode } from './contract.ts'

/** Environment variables of the SMS gateway. */
export interface SmsVariables extends CoreEnv, RetryEnv {
  /** Provider that sends messages if the request names no provider. Default: `provider_a`. */
  SMS_PROVIDER?: string
  /** Comma-separated codes of the providers that are asked next, in this order, if a provider does not accept a message. */
  SMS_FALLBACK?: string
  /** Seconds after which messages are deleted. Default: 90 days. */
  SMS_RETENTION?: string
  /** Public address of the gateway, to which providers send delivery receipts. Default: derived from `BASE_URL`. */
  SELF_URL?: string
}

/**
 * Throws `not_configured` if a variable is invalid. Runs before the first request of an isolate, so that a mistake is found at
 * once.
 */
export function checkConfiguration(env: SmsVariables): void {
  defaultProviderOf(env)
  fallbacksOf(env)
  retentionOf(env)
}

/** Code of the provider that sends messages if the request names no provider. */
export const defaultProviderOf = ({ SMS_PROVIDER }: SmsVariables): ProviderCode => codeIn(SMS_PROVIDER || 'provider_a')

/** Codes of the fallback providers, in the order in which they are asked. */
export function fallbacksOf({ SMS_FALLBACK = '' }: SmsVariables): ProviderCode[] {
  const codes = SMS_FALLBACK.split(',').map((code) => code.trim())
  return codes.filter(Boolean).map(codeIn)
}

function codeIn(text: string): ProviderCode {
  const code = ProviderCode.safeParse(text)
  if (code.success) return code.data
  throw notConfigured(`SMS_PROVIDER and SMS_FALLBACK must name providers of ${ProviderCode.options.join(', ')}.`)
}

const daySeconds = 86_400

/** Retention of messages in milliseconds. */
export function retentionOf({ SMS_RETENTION }: SmsVariables): number {
  if (!SMS_RETENTION) return 90 * daySeconds * 1_000
  if (/^[1-9]\d{0,9}$/.test(SMS_RETENTION)) return Number(SMS_RETENTION) * 1_000
  throw notConfigured('SMS_RETENTION must be a whole number of seconds above 0.')
}
