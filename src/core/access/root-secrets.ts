// The credentials of the deployment itself, which variables set: bearer tokens and HTTP Basic.
import { isSame } from './constant-time.ts'

/** The variables with the credentials that may do everything. */
export interface RootSecrets {
  /** Comma-separated; any of them as `Authorization: Bearer`. */
  AUTH_TOKENS?: string
  /** With `HTTP_AUTH_PASSWORD`: HTTP Basic. */
  HTTP_AUTH_USERNAME?: string
  HTTP_AUTH_PASSWORD?: string
}

/** The bearer tokens of a list such as `AUTH_TOKENS`. */
const tokensIn = (list = '') =>
  list
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean)

/** The `Authorization` header for calls to components with the same configuration: the first token, else HTTP Basic. */
export function rootHeaderOf({ AUTH_TOKENS, HTTP_AUTH_USERNAME: user, HTTP_AUTH_PASSWORD: password }: RootSecrets) {
  const [token] = tokensIn(AUTH_TOKENS)
  if (token) return `Bearer ${token}`
  return user && password ? `Basic ${toBase64(`${user}:${password}`)}` : undefined
}

/** Whether a deployment has credentials. */
export const hasRootSecrets = (env: RootSecrets): boolean => secretsOf(env).length > 0

/** Whether an `Authorization` header (RFC 6750, RFC 7617) has the credentials of the deployment. */
export async function isRootHeader(env: RootSecrets, header: string): Promise<boolean> {
  const credentials = header.replace(/^(bearer|basic) +/i, (scheme) => `${scheme.trim().toLowerCase()} `)
  const equal = await Promise.all(secretsOf(env).map((secret) => isSame(credentials, secret)))
  return equal.includes(true)
}

function secretsOf({ AUTH_TOKENS, HTTP_AUTH_USERNAME: user, HTTP_AUTH_PASSWORD: password }: RootSecrets): string[] {
  const tokens = tokensIn(AUTH_TOKENS).map((token) => `bearer ${token}`)
  return user && password ? [...tokens, `basic ${toBase64(`${user}:${password}`)}`] : tokens
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
