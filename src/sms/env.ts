import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'
import type { RetryEnv } from '#core/http/retention'
import { ProviderCode } from './contract.ts'

/** The variables that the SMS gateway reads. */
export interface SmsVariables extends CoreEnv, RetryEnv {
  /** The provider of a request that names none; `provider_a` unless given. */
  SMS_PROVIDER?: string
  /** Comma-separated: the providers tried next where one certainly did not take a message. */
  SMS_FALLBACK?: string
  /** Seconds for which messages are kept; 90 days unless given. */
  SMS_RETENTION?: string
  /** The gateway's own address, for receipts; from `BASE_URL` unless given. */
  SELF_URL?: string
}

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: SmsVariables): void {
  defaultProviderOf(env)
  fallbacksOf(env)
  retentionOf(env)
}

/** The provider of a request that names none. */
export const defaultProviderOf = ({ SMS_PROVIDER }: SmsVariables): ProviderCode => codeIn(SMS_PROVIDER || 'provider_a')

/** The providers tried next, in their order. */
export function fallbacksOf({ SMS_FALLBACK = '' }: SmsVariables): ProviderCode[] {
  const codes = SMS_FALLBACK.split(',').map((code) => code.trim())
  return codes.filter(Boolean).map(codeIn)
}

function codeIn(text: string): ProviderCode {
  const code = ProviderCode.safeParse(text)
  if (code.success) return code.data
  throw notConfigured(`SMS_PROVIDER and SMS_FALLBACK must be of ${ProviderCode.options.join(', ')}`)
}

const days = 86_400

/** How long messages are kept, in milliseconds. */
export function retentionOf({ SMS_RETENTION }: SmsVariables): number {
  if (!SMS_RETENTION) return 90 * days * 1_000
  if (/^[1-9]\d{0,9}$/.test(SMS_RETENTION)) return Number(SMS_RETENTION) * 1_000
  throw notConfigured('SMS_RETENTION must be a whole number of seconds above 0')
}
