// The webhook to which providers send delivery receipts: builds its address, verifies requests and has the driver parse them.
// `receipts.ts` applies the receipts to messages.
import { open } from '#core/db/open'
import { addressOf, baseUrl } from '#core/http/base'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { isPublic } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import { ProviderCode } from './contract.ts'
import { failure, missing } from './errors.ts'
import { type Provider, providerOf } from './providers.ts'
import { acceptReceipt } from './receipts.ts'
import { schema } from './schema.ts'

/**
 * Address of the receipt webhook for a provider. A private address is sent only to a provider that has a private address too: a
 * public provider cannot reach it, and may reject messages that contain one.
 */
export function receiptUrlOf(env: Env, base: string, { code, account }: Provider): string | undefined {
  const own = ownUrlOf(env, base)
  const isPrivateProvider = account.url !== undefined && !isPublicUrl(account.url)
  return isPublicUrl(own) || isPrivateProvider ? `${own}/receipt/${code}` : undefined
}

/**
 * Address of the gateway, without a trailing slash: the first public one of `SELF_URL`, `BASE_URL` and the address of the
 * request. If none is public, the first of them.
 */
function ownUrlOf({ SELF_URL, BASE_URL }: Env, base: string): string {
  const configured = [SELF_URL?.replace(/\/+$/, ''), BASE_URL && addressOf(BASE_URL, 'sms')]
  const known = [...configured.flatMap((url) => url || []), base]
  return known.find(isPublicUrl) ?? known[0]!
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && isPublic(url.hostname)
}

/**
 * Verifies the signature or secret of a receipt. Throws 401 if it is wrong. Returns false if no secret is configured for the
 * provider; the request then needs credentials of the API.
 */
export async function verifyProvider(request: UnvalidatedRequest<Env>): Promise<boolean> {
  const provider = receiptProvider(request)
  const isVerified = await provider?.driver.verifyReceipt?.(provider.account, withPublicUrl(request))
  if (isVerified === false)
    throw failure('unauthorized', 'The signature or secret of the receipt is missing or wrong. Check RECEIPT_SECRET.')
  return isVerified ?? false
}

/**
 * Handles a request to the receipt webhook. Accepts and ignores a request that is not a receipt, because the provider would
 * resend it after an error. Throws 404 if the path names no provider that supports receipts.
 */
export async function receiveReceipt(request: UnvalidatedRequest<Env>): Promise<void> {
  const provider = receiptProvider(request)
  if (!provider) throw missing('provider')
  const receipt = provider.driver.readReceipt?.(provider.account, withPublicUrl(request))
  if (receipt) await acceptReceipt(open(request.env, schema), provider.code, receipt, new Date())
}

/** The provider that the path names. Undefined if that provider is not configured or does not support receipts. */
function receiptProvider({ env, url }: UnvalidatedRequest<Env>): Provider | undefined {
  const code = ProviderCode.safeParse(lastOf(url))
  const provider = code.success ? providerOf(env, code.data) : undefined
  return provider && 'account' in provider && provider.driver.readReceipt ? provider : undefined
}

const lastOf = ({ pathname }: URL) => pathname.split('/').at(-1)

/** The request with the public URL of the webhook instead of the received one, since providers sign the public URL. */
function withPublicUrl(received: UnvalidatedRequest<Env>): UnvalidatedRequest<Env> {
  const { env, request, url } = received
  const base = ownUrlOf(env, baseUrl(env, 'sms', request))
  return { ...received, url: new URL(`${base}/receipt/${lastOf(url)}${url.search}`) }
}
