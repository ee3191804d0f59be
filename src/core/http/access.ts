import { Failure, failure, notConfigured } from '#core/failure'

/** What says who may call a component. */
export interface AccessEnv {
  /** Comma-separated; any of them as `Authorization: Bearer`. */
  AUTH_TOKENS?: string
  /** With `HTTP_AUTH_PASSWORD`: HTTP Basic. */
  HTTP_AUTH_USERNAME?: string
  HTTP_AUTH_PASSWORD?: string
  /** `true`: everybody may. */
  OPEN?: string
  /** `true` where `npm start` runs the component. */
  LOCAL?: string
}

/**
 * Passes who holds a token or the user's password (RFC 6750, RFC 7617). Where neither is configured everybody passes on a
 * local start or with `OPEN=true`, and nobody anywhere else.
 */
export async function checkAccess(env: AccessEnv, request: Request): Promise<void> {
  const secrets = secretsOf(env)
  if (secrets.length > 0) {
    if (await isOneOf(request.headers.get('authorization'), secrets)) return
    throw failure('unauthorized')
  }
  if (env.OPEN === 'true' || env.LOCAL === 'true') return
  throw notConfigured('Set AUTH_TOKENS, or HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, or OPEN=true')
}

/** The same as an answer. */
export const hasAccess = (env: AccessEnv, request: Request) =>
  checkAccess(env, request).then(
    () => true,
    (error: unknown) => {
      if (Failure.is(error)) return false
      throw error
    },
  )

/** Whether a request has one of the bearer tokens. */
export const hasToken = ({ AUTH_TOKENS }: AccessEnv, request: Request): Promise<boolean> =>
  isOneOf(request.headers.get('authorization'), tokensIn(AUTH_TOKENS).map(bearer))

const bearer = (token: string) => `bearer ${token}`

/** The bearer tokens of a list such as `AUTH_TOKENS`. */
const tokensIn = (list = '') =>
  list
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean)

/** What shows a component that is configured alike that its caller has access: the first token, else the user's password. */
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
  const given = (header ?? '').replace(/^(bearer|basic) +/i, (scheme) => `${scheme.trim().toLowerCase()} `)
  const equal = await Promise.all(secrets.map((secret) => isSame(given, secret)))
  return equal.includes(true)
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export async function isSame(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([digest(a), digest(b)])
  return crypto.subtle.timingSafeEqual(first, second)
}

const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
