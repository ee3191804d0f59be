import { failure } from '#core/failure'
import { isSame } from '#core/http/access'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { isJson, names, signedText } from './notification-parser.ts'

/**
 * Lets the processor pass by the HMAC-SHA256 of its notification in base64 (https://developers.cloudpayments.ru/#proverka-uvedomleniy):
 * `Content-HMAC` is that of the text as it was sent, `X-Content-HMAC` that of the same text URL-decoded. 401 unless one
 * of them is right. Without a configured secret, ordinary access applies.
 */
export async function isProcessor(asked: UnvalidatedRequest<Env>): Promise<boolean> {
  const { PAYMENT_API_SECRET } = asked.env
  if (!PAYMENT_API_SECRET) return false
  if (await isSigned(PAYMENT_API_SECRET, asked)) return true
  throw failure('unauthorized', 'The HMAC of the notification is missing or wrong.')
}

/** One right header suffices: a re-encoded query breaks the first one, and the second alone is accepted too. */
async function isSigned(secret: string, asked: UnvalidatedRequest<Env>): Promise<boolean> {
  const { headers } = asked.request
  const bytes = signedText(asked)
  const exact = headers.get('content-hmac')
  if (exact !== null)
    if ((await isHmac(secret, exact, bytes)) || (await isHmac(secret, exact, withApostrophes(bytes)))) return true
  const given = headers.get('x-content-hmac')
  if (given === null) return false
  if (await isHmac(secret, given, bytes)) return true
  const decoded = isJson(bytes) ? undefined : decodedText(new TextDecoder().decode(bytes))
  return decoded !== undefined && isHmac(secret, given, new TextEncoder().encode(decoded))
}

/** The runtime has written `%27` for an apostrophe in a query, which may have been sent as it is (WHATWG URL). */
const withApostrophes = (bytes: Uint8Array): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('%27', "'"))

const isHmac = async (secret: string, given: string, bytes: Uint8Array) =>
  isSame(given.trim(), await hmacOf(secret, bytes))

async function hmacOf(secret: string, bytes: Uint8Array): Promise<string> {
  const key = new TextEncoder().encode(secret)
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, bytes)).toBase64()
}

/**
 * The text URL-decoded; nothing for what cannot be. What is read of it must be there once, and be what the decoded text says
 * too: `a=1%26b%3D2&c=3` and `a=1&b=2&c=3` are decoded alike, and mean something else.
 */
export function decodedText(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    const [read, meant] = [[...new URLSearchParams(text)], decoded.split('&').map(pairIn)]
    return names.every((name) => isOne(valuesOf(read, name), valuesOf(meant, name))) ? decoded : undefined
  } catch {
    return undefined
  }
}

const pairIn = (piece: string): [string, string] => {
  const [name = '', ...value] = piece.split('=')
  return [name, value.join('=')]
}

const valuesOf = (pairs: [string, string][], name: string) =>
  pairs.flatMap(([key, value]) => (key === name ? value : []))

const isOne = (read: string[], meant: string[]) =>
  read.length <= 1 && meant.length === read.length && meant[0] === read[0]
