// Checks the credentials of incoming requests: a bearer token or HTTP Basic, as the environment configures them.
import { Failure, failure, notConfigured } from '#core/failure'

/** The variables that decide who may call a component. */
export interface AccessEnv {
  /** Comma-separated; any of them as `Authorization: Bearer`. */
  AUTH_TOKENS?: string
  /** With `HTTP_AUTH_PASSWORD`: HTTP Basic. */
  HTTP_AUTH_USERNAME?: string
  HTTP_AUTH_PASSWORD?: string
  /** `true`: calls need no credentials. */
  OPEN?: string
  /** `true` where `npm start` runs the component. */
  LOCAL?: string
}

/**
 * Checks the credentials of a request: a bearer token (RFC 6750) or HTTP Basic (RFC 7617). Throws 401 if they are missing or
 * wrong. If no credentials are configured, every request passes on a local start or with `OPEN=true`; else it throws 503.
 */
export async function checkAccess(env: AccessEnv, request: Request): Promise<void> {
  const secrets = secretsOf(env)
  if (secrets.length > 0) {
    if (await isOneOf(request.headers.get('authorization'), secrets)) return
    throw failure('unauthorized')
  }
  if (env.OPEN === 'true' || env.LOCAL === 'true') return
  throw notConfigured('Set AUTH_TOKENS, or HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, or OPEN=true.')
}

/** Whether `checkAccess` lets a request pass. */
export const hasAccess = (env: AccessEnv, request: Request) =>
  checkAccess(env, request).then(
    () => true,
    (error: unknown) => {
      if (Failure.is(error)) return false
      throw error
    },
  )

/** Whether a request has a valid bearer token. */
export const hasToken = ({ AUTH_TOKENS }: AccessEnv, request: Request): Promise<boolean> =>
  isOneOf(request.headers.get('authorization'), tokensIn(AUTH_TOKENS).map(bearer))

const bearer = (token: string) => `bearer ${token}`

/** The bearer tokens of a list such as `AUTH_TOKENS`. */
const tokensIn = (list = '') =>
  list
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean)

/** The `Authorization` header for calls to components with the same configuration: the first token, else HTTP Basic. */
export function credentialsOf({ AUTH_TOKENS, HTTP_AUTH_USERNAME: user, HTTP_AUTH_PASSWORD: password }: AccessEnv) {
  const [token] = tokensIn(AUTH_TOKENS)
  if (token) return `Bearer ${token}`
  return user && password ? `Basic ${toBase64(`${user}:${password}`)}` : undefined
}

function secretsOf({ AUTH_TOKENS, HTTP_AUTH_USERNAME: user, HTTP_AUTH_PASSWORD: password }: AccessEnv) {
  const tokens = tokensIn(AUTH_TOKENS).map(bearer)
  return user && password ? [...tokens, `basic ${toBase64(`${user}:${password}`)}`] : tokens
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

async function isOneOf(header: string | null, secrets: string[]): Promise<boolean> {
  const credentials = (header ?? '').replace(/^(bearer|basic) +/i, (scheme) => `${scheme.trim().toLowerCase()} `)
  const equal = await Promise.all(secrets.map((secret) => isSame(credentials, secret)))
  return equal.includes(true)
}

/** Compares two texts in constant time, so that timing does not reveal where they differ. */
export async function isSame(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([digest(a), digest(b)])
  return crypto.subtle.timingSafeEqual(first, second)
}

const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
