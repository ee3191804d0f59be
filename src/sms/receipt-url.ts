import { addressOf } from '#core/http/base'
import { isPublic } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { Provider } from './providers.ts'

/**
 * Where a provider reports what became of a message. A private address it gets only where it is at one itself: others
 * have no use for it, and some refuse the message for it.
 */
export function receiptUrlOf(env: Env, base: string, { code, account }: Provider): string | undefined {
  const own = ownUrlOf(env, base)
  const isNeighbour = account.url !== undefined && !isPublicUrl(account.url)
  return isPublicUrl(own) || isNeighbour ? `${own}/receipt/${code}` : undefined
}

/** The gateway's own address, without a slash at its end: the first public one, or else the first, that is known of it. */
export function ownUrlOf({ SELF_URL, BASE_URL }: Env, base: string): string {
  const configured = [SELF_URL?.replace(/\/+$/, ''), BASE_URL && addressOf(BASE_URL, 'sms')]
  const known = [...configured.flatMap((url) => url || []), base]
  return known.find(isPublicUrl) ?? known[0]!
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && isPublic(url.hostname)
}
