// Authenticates the processor's notifications by their HMAC headers.
import { isSame } from '#core/access/constant-time'
import { failure } from '#core/failure'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { fieldNames, isJson, signedBytes } from './notification-parser.ts'

/**
 * Authenticates the processor by the HMAC-SHA256 of its notification in base64
 * (https://developers.cloudpayments.ru/#proverka-uvedomleniy): `Content-HMAC` is computed over the text as sent,
 * `X-Content-HMAC` over the URL-decoded text. Throws 401 unless one of them matches. Returns false without a configured secret:
 * then callers authenticate with the API token.
 */
export async function isProcessor(request: UnvalidatedRequest<Env>): Promise<boolean> {
  const { PAYMENT_API_SECRET } = request.env
  if (!PAYMENT_API_SECRET) return false
  if (await isSigned(PAYMENT_API_SECRET, request)) return true
  throw failure('unauthorized', 'The HMAC of the notification is missing or wrong.')
}

/**
 * Whether one of the two HMAC headers matches. One is enough: a proxy that re-encodes the query breaks `Content-HMAC`, and to require
 * both would add no security, since an attacker may omit that header.
 */
async function isSigned(secret: string, source: UnvalidatedRequest<Env>): Promise<boolean> {
  const { headers } = source.request
  const bytes = signedBytes(source)
  const exact = headers.get('content-hmac')
  if (exact !== null)
    if ((await isHmac(secret, exact, bytes)) || (await isHmac(secret, exact, withApostrophes(bytes)))) return true
  const ofDecoded = headers.get('x-content-hmac')
  if (ofDecoded === null) return false
  if (await isHmac(secret, ofDecoded, bytes)) return true
  const decoded = isJson(bytes) ? undefined : decodedText(new TextDecoder().decode(bytes))
  return decoded !== undefined && isHmac(secret, ofDecoded, new TextEncoder().encode(decoded))
}

/** The runtime encodes an apostrophe in a query as `%27` (WHATWG URL); the processor may have sent and signed it unencoded. */
const withApostrophes = (bytes: Uint8Array): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('%27', "'"))

const isHmac = async (secret: string, header: string, bytes: Uint8Array) =>
  isSame(header.trim(), await hmacOf(secret, bytes))

async function hmacOf(secret: string, bytes: Uint8Array): Promise<string> {
  const key = new TextEncoder().encode(secret)
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, bytes)).toBase64()
}

/**
 * URL-decodes a form or query; undefined if that is not possible. Each field that is read must occur once, with the same value
 * before and after decoding: `a=1%26b%3D2&c=3` and `a=1&b=2&c=3` have the same decoded text, and so the same HMAC, but different
 * fields.
 */
export function decodedText(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    const pairs = [...new URLSearchParams(text)]
    const decodedPairs = decoded.split('&').map(splitPair)
    return fieldNames.every((name) => isSameSingle(valuesOf(pairs, name), valuesOf(decodedPairs, name)))
      ? decoded
      : undefined
  } catch {
    return undefined
  }
}

const splitPair = (piece: string): [string, string] => {
  const [name = '', ...value] = piece.split('=')
  return [name, value.join('=')]
}

const valuesOf = (pairs: [string, string][], name: string) =>
  pairs.flatMap(([key, value]) => (key === name ? value : []))

const isSameSingle = (values: string[], decodedValues: string[]) =>
  values.length <= 1 && decodedValues.length === values.length && decodedValues[0] === values[0]
