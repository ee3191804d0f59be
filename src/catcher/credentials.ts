import { createHash, timingSafeEqual } from 'node:crypto'
import type { Env } from './bindings.ts'
import type { Taken } from './taken.ts'

const masked = '[masked]'

/**
 * A request with `[masked]` in place of each header or query value that is a credential of this deployment, so that reading
 * what was caught, or the log, gives nobody access. Other values stay as they came, whatever they are called.
 */
export function maskCredentials(env: Env, taken: Taken): Taken {
  const credentials = credentialsOf(env)
  if (credentials.digests.length === 0) return taken
  return { ...taken, headers: maskHeaders(taken.headers, credentials), query: maskQuery(taken.query, credentials) }
}

interface Credentials {
  /** SHA-256 of each, so that all comparisons take the same time. */
  digests: Buffer[]
  /** The shortest and the longest one, in characters: nothing else is hashed. */
  lengths: [number, number]
  /** The user and password of HTTP Basic. */
  basic: Buffer | undefined
}

/** The variables that hold credentials, of the catcher and of any component whose secrets it was given. */
const names = /(^|_)(TOKENS?|SECRET|PASSWORD|KEY)$/

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
      names.test(name) && typeof value === 'string' ? partsOf(name, value) : [],
    )
    .filter(Boolean)
  const lengths = values.map(({ length }) => length)
  return {
    digests: values.map(digest),
    lengths: [Math.min(...lengths), Math.max(...lengths)],
    basic: user && password ? digest(`${user}:${password}`) : undefined,
  }
}

/** A list of tokens is as many credentials. */
const partsOf = (name: string, value: string) =>
  name.endsWith('TOKENS') ? value.split(',').map((token) => token.trim()) : [value]

const digest = (text: string) => createHash('sha256').update(text).digest()

function isCredential(text: string, { digests, lengths: [shortest, longest] }: Credentials): boolean {
  if (text.length < shortest || text.length > longest) return false
  const given = digest(text)
  return digests.map((one) => timingSafeEqual(one, given)).includes(true)
}

/** Whether it is the base64 of a user and a password, of which one or both are ours (RFC 7617). */
function isBasic(text: string, credentials: Credentials): boolean {
  const pair = Buffer.from(text, 'base64').toString()
  const colon = pair.indexOf(':')
  if (colon < 0) return false
  const isWhole = credentials.basic !== undefined && timingSafeEqual(credentials.basic, digest(pair))
  return isWhole || isCredential(pair.slice(colon + 1), credentials)
}

function maskHeaders(headers: string, credentials: Credentials): string {
  const entries = Object.entries(JSON.parse(headers) as Record<string, string>)
  return JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [name, maskValue(value, credentials)])))
}

/** A value as a whole, or each part of a list, as of a header that was repeated or of cookies. */
function maskValue(value: string, credentials: Credentials): string {
  const whole = maskPart(value, credentials)
  if (whole !== value || !/[,;]/.test(value)) return whole
  return value
    .split(/([,;])/)
    .map((part) => maskTrimmed(part, credentials))
    .join('')
}

/** A part with the whitespace around it left as it came. No regex: one for the whitespace would take quadratic time. */
function maskTrimmed(part: string, credentials: Credentials): string {
  const begin = part.length - part.trimStart().length
  const text = part.trim()
  return part.slice(0, begin) + maskPart(text, credentials) + part.slice(begin + text.length)
}

/** A credential alone, after its scheme as in `Bearer …` and `Basic …`, or after a name as in `name=…`. */
function maskPart(part: string, credentials: Credentials): string {
  if (isCredential(part, credentials)) return masked
  const [, scheme = '', separator = '', rest = ''] = /^([^\s=]+)( +|=)(.+)$/s.exec(part) ?? []
  const isOurs = isCredential(rest, credentials) || (/^basic$/i.test(scheme) && isBasic(rest, credentials))
  return isOurs ? `${scheme}${separator}${masked}` : part
}

/** Cut as text: all else stays as it was written. */
const maskQuery = (query: string, credentials: Credentials) =>
  query
    .split('&')
    .map((pair) => {
      const begin = pair.indexOf('=') + 1
      const value = new URLSearchParams(`v=${pair.slice(begin)}`).get('v')!
      const safe = maskValue(value, credentials)
      return safe === value ? pair : pair.slice(0, begin) + written(safe)
    })
    .join('&')

/** As the value of a query. */
const written = (value: string) =>
  new URLSearchParams({ v: value }).toString().slice(2).replaceAll(encodeURIComponent(masked), masked)
