import { addressOf } from '#core/http/base'
import { isPublic } from '#core/outgoing/url'
import type { ProviderCode } from './contract.ts'
import type { Env } from './env.ts'

/**
 * Where a provider reports what became of a message: under `SELF_URL` or `BASE_URL`, else under the address that the
 * gateway was asked at, unless that is a private one, which some providers refuse together with the message.
 */
export function receiptUrlOf(env: Env, base: string, code: ProviderCode): string | undefined {
  const configured = ownUrlOf(env)
  if (!configured && !isPublic(new URL(base).hostname)) return undefined
  return `${configured ?? base}/receipt/${code}`
}

/** The gateway's address, without a slash at its end, where it is configured. */
export const ownUrlOf = ({ SELF_URL, BASE_URL }: Env): string | undefined =>
  SELF_URL?.replace(/\/+$/, '') || (BASE_URL && addressOf(BASE_URL, 'sms')) || undefined
