// The user's credentials in this tab of the browser, and the API client that sends them.
import { type Health, QuartermasterError, quartermaster } from '#client/index'
import { manifestOf, manifests, ownPrefixOf } from '#manifests'

/** The user's credentials. They are kept in `sessionStorage`, so they are gone when the tab is closed. */
interface Credentials {
  token?: string
  username?: string
  password?: string
  /** The user's secret for components that have their own accounts, such as the bus. */
  secret?: string
}

const key = 'quartermaster'

/** Components that have their own accounts, and the header in which each expects the user's secret. */
const secretive = manifests.flatMap(({ name, secretHeader }) => (secretHeader ? [{ name, secretHeader }] : []))

let credentials: Credentials = read()
let client = clientOf(credentials)
const listeners = new Set<() => void>()

/** The API client with the current credentials. Its name is short, since every page calls it. */
export const q = () => client

/** The current credentials. */
export const credentialsNow = () => credentials

/** Changes the credentials. Credentials that are not given are kept. */
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

/** Whether an error is the API's reply 401: the user must sign in. */
export const isUnauthorized = (error: unknown) => error instanceof QuartermasterError && error.status === 401

/** Whether a retry would get the same error. False for a server error, for 429 and for a failed connection. */
export const isRefusal = (error: unknown) =>
  error instanceof QuartermasterError && error.status < 500 && error.status !== 429

/** A component that does not reply within this time is shown as down. */
const healthTimeoutMs = 15_000

/** The health of a component. A component that is down reports it in an error reply, which this function reads too. */
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

/** The headers with the user's secret, for components that have their own accounts. */
export const secretHeaders = (): Record<string, string> => ofSecret(({ secretHeader }) => secretHeader)

function ofSecret(keyOf: (component: (typeof secretive)[number]) => string): Record<string, string> {
  const { secret } = credentials
  return secret ? Object.fromEntries(secretive.map((component) => [keyOf(component), secret])) : {}
}

/** The `Authorization` header, for requests that do not go through the API client, such as uploads with tus. */
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
    // Without this option the browser would show its own login window after a 401. The console shows its sign-in form instead.
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
