// Masks the credentials of this deployment, keys and tokens in caught requests, before they are stored and logged.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Env } from './bindings.ts'
import type { ReceivedRequest } from './received-request.ts'

const masked = '[masked]'

/**
 * Replaces each header or query value that is a credential of this deployment or a key of `access` by `[masked]`, so that stored
 * requests and the log reveal no credentials; also each JWT in the header `Authorization` and the parameter `token`, where tokens
 * of `access` are sent, and in the query of each URL in a header or a query value, such as `Referer`. All other values stay unchanged,
 * whatever their names.
 */
export function maskCredentials(env: Env, received: ReceivedRequest): ReceivedRequest {
  const credentials = credentialsOf(env)
  return {
    ...received,
    headers: maskHeaders(received.headers, credentials),
    query: maskQuery(received.query, credentials),
  }
}

/** Replaces each header value that is a credential or a key by `[masked]`. */
export const maskHeaderValues = (env: Env, headers: string) => maskHeaders(headers, credentialsOf(env))

/** Whether a value contains the mask. */
export const isMasked = (value: string) => value.includes(masked)

interface Credentials {
  /** SHA-256 of each credential, for comparisons in constant time. */
  digests: Buffer[]
  /** Length of the shortest and the longest credential in characters. Other values are not hashed. */
  lengths: [number, number]
  /** SHA-256 of `user:password` of HTTP Basic. */
  basic: Buffer | undefined
  /** The value may be a token of `access`. */
  mayBeToken?: true
}

/** A key of `access`. */
const key = /^qm_[0-9a-f]{24}_[\w-]{43}$/

/** A JSON Web Token: its header begins with `{"`. */
const jwt = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/

/** Names of variables that contain credentials: of the catcher, and of other components whose secrets are in its environment. */
const credentialNames = /(^|_)(TOKENS?|SECRET|PASSWORD|KEY)$/

const known = new WeakMap<Env, Credentials>()

function credentialsOf(env: Env): Credentials {
  const found = known.get(env) ?? readCredentials(env)
  known.set(env, found)
  return found
}

function readCredentials(env: Env): Credentials {
  const { HTTP_AUTH_USERNAME: user, HTTP_AUTH_PASSWORD: password } = env
  const values = Object.entries(env)
    .flatMap(([name, value]: [string, unknown]) =>
      credentialNames.test(name) && typeof value === 'string' ? partsOf(name, value) : [],
    )
    .filter(Boolean)
  const lengths = values.map(({ length }) => length)
  return {
    digests: values.map(digest),
    lengths: [Math.min(...lengths), Math.max(...lengths)],
    basic: user && password ? digest(`${user}:${password}`) : undefined,
  }
}

/** The credentials in a variable: each token of a comma-separated list such as `TOKENS`, else the whole value. */
const partsOf = (name: string, value: string) =>
  name.endsWith('TOKENS') ? value.split(',').map((token) => token.trim()) : [value]

const digest = (text: string) => createHash('sha256').update(text).digest()

function isCredential(text: string, { digests, lengths: [shortest, longest], mayBeToken }: Credentials): boolean {
  if (key.test(text) || (mayBeToken && jwt.test(text))) return true
  if (text.length < shortest || text.length > longest) return false
  const textDigest = digest(text)
  return digests.map((one) => timingSafeEqual(one, textDigest)).includes(true)
}

/** Whether the text is base64 of `user:password` with a password of this deployment (RFC 7617). */
function isBasic(text: string, credentials: Credentials): boolean {
  const pair = Buffer.from(text, 'base64').toString()
  const colon = pair.indexOf(':')
  if (colon < 0) return false
  const isWhole = credentials.basic !== undefined && timingSafeEqual(credentials.basic, digest(pair))
  return isWhole || isCredential(pair.slice(colon + 1), credentials)
}

function maskHeaders(headers: string, credentials: Credentials): string {
  const entries = Object.entries(JSON.parse(headers) as Record<string, string>)
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([name, value]) => [name, maskUrls(maskValue(value, forName(name, credentials)), credentials)]),
    ),
  )
}

const forName = (name: string, credentials: Credentials): Credentials =>
  /^(authorization|proxy-authorization|token)$/i.test(name) ? { ...credentials, mayBeToken: true } : credentials

/** Masks a whole value, or each part of a list, such as a repeated header or cookies. */
function maskValue(value: string, credentials: Credentials): string {
  const whole = maskPart(value, credentials)
  if (whole !== value || !/[,;]/.test(value)) return whole
  return value
    .split(/([,;])/)
    .map((part) => maskTrimmed(part, credentials))
    .join('')
}

/** Masks a part and keeps the whitespace around it. Uses no regular expression, which could take quadratic time. */
function maskTrimmed(part: string, credentials: Credentials): string {
  const begin = part.length - part.trimStart().length
  const text = part.trim()
  return part.slice(0, begin) + maskPart(text, credentials) + part.slice(begin + text.length)
}

/** Masks a credential alone, after a scheme (`Bearer …`, `Basic …`), or after a name (`name=…`). */
function maskPart(part: string, credentials: Credentials): string {
  if (isCredential(part, credentials)) return masked
  const [, scheme = '', separator = '', rest = ''] = /^([^\s=]+)( +|=)(.+)$/s.exec(part) ?? []
  const isOurs = isCredential(rest, credentials) || (/^basic$/i.test(scheme) && isBasic(rest, credentials))
  return isOurs ? `${scheme}${separator}${masked}` : part
}

/** URLs in the query of a URL in a header are masked too, up to this depth. */
const maxUrlDepth = 3

/**
 * Masks credentials and tokens in the queries and fragments of the URLs in a value: `?token=…` of a page is in the `Referer` of its
 * requests.
 */
function maskUrls(value: string, credentials: Credentials, depth = maxUrlDepth): string {
  if (depth === 0 || !/[?#]/.test(value)) return value
  const inUrl = { ...credentials, mayBeToken: true as const }
  return value.replace(
    /([?#])([^\s<>"'?#]*[^\s<>"'?#,;])/g,
    (_, separator: string, query: string) => separator + maskQuery(query, inUrl, depth - 1),
  )
}

/** Masks values of a query. Works on the text, so that everything else stays unchanged. */
const maskQuery = (query: string, credentials: Credentials, depth = maxUrlDepth) =>
  query
    .split('&')
    .map((pair) => {
      const begin = pair.indexOf('=') + 1
      const value = new URLSearchParams(`v=${pair.slice(begin)}`).get('v')!
      const name = new URLSearchParams(pair).keys().next().value ?? ''
      const safe = maskUrls(maskValue(value, forName(name, credentials)), credentials, depth)
      return safe === value ? pair : pair.slice(0, begin) + encodeValue(safe)
    })
    .join('&')

/** Encodes a value of a query, except for the mask, which stays readable as `[masked]`. */
const encodeValue = (value: string) =>
  new URLSearchParams({ v: value }).toString().slice(2).replaceAll(encodeURIComponent(masked), masked)
