import { type Health, QuartermasterError, quartermaster } from '#client/index'
import { manifestOf, manifests, ownPrefixOf } from '#manifests'

// The user's credentials, and the API client that uses them.

/** The user's credentials, kept in `sessionStorage` until the tab is closed. */
interface Credentials {
  token?: string
  username?: string
  password?: string
  /** The user's secret for components with accounts. */
  secret?: string
}

const key = 'quartermaster'

/** Components with accounts, and the header of their secrets. */
const secretive = manifests.flatMap(({ name, secretHeader }) => (secretHeader ? [{ name, secretHeader }] : []))

let credentials: Credentials = read()
let client = clientOf(credentials)
const listeners = new Set<() => void>()

/** The API client with the current credentials. */
export const q = () => client

/** The current credentials. */
export const credentialsNow = () => credentials

/** Changes the credentials. Those that are not given are kept. */
export function signIn(changes: Credentials) {
  credentials = { ...credentials, ...changes }
  sessionStorage.setItem(key, JSON.stringify(credentials))
  changed()
}

/** Deletes all credentials. */
export function signOut() {
  credentials = {}
  sessionStorage.removeItem(key)
  changed()
}

/** Calls the listener when the credentials change. Returns a function that removes the listener. */
export function onSession(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the API replied 401. */
export const isUnauthorized = (error: unknown) => error instanceof QuartermasterError && error.status === 401

/** Whether a retry would get the same error: it is neither a server error, nor 429, nor a failed connection. */
export const isRefusal = (error: unknown) =>
  error instanceof QuartermasterError && error.status < 500 && error.status !== 429

/** A component that does not reply in this time is shown as down. */
const healthTimeoutMs = 15_000

/** The health of a component, also from the error reply of one that is down. */
export async function healthOf(component: string, signal: AbortSignal): Promise<Health> {
  const headers = manifestOf(component)?.secretHeader ? secretHeaders() : authorization()
  const ends = AbortSignal.any([signal, AbortSignal.timeout(healthTimeoutMs)])
  const response = await fetch(`/${component}${ownPrefixOf(component)}/_health`, {
    headers,
    credentials: 'omit',
    signal: ends,
  })
  const { content } = (await response.json()) as { content?: Health }
  return content ?? { state: 'down' }
}

/** The headers with the user's secret for components with accounts. */
export const secretHeaders = (): Record<string, string> => ofSecret(({ secretHeader }) => secretHeader)

function ofSecret(keyOf: (component: (typeof secretive)[number]) => string): Record<string, string> {
  const { secret } = credentials
  return secret ? Object.fromEntries(secretive.map((component) => [keyOf(component), secret])) : {}
}

/** The `Authorization` header for requests without the API client, such as uploads with tus. */
export function authorization(): Record<string, string> {
  const { token, username, password } = credentials
  if (token) return { authorization: `Bearer ${token}` }
  if (!username) return {}
  const bytes = new TextEncoder().encode(`${username}:${password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

function changed() {
  client = clientOf(credentials)
  for (const listener of listeners) listener()
}

function clientOf({ token, username, password, secret }: Credentials) {
  return quartermaster({
    url: location.origin,
    // Without this, the browser would show its own login window after a 401. The console shows its form instead.
    fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
    ...(token && { token }),
    ...(username && { username, password: password ?? '' }),
    ...(secret && { secrets: ofSecret(({ name }) => name) }),
  })
}

function read(): Credentials {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Credentials
  } catch {
    return {}
  }
}
