import { type Health, QuartermasterError, quartermaster } from '#client/index'
import { manifestOf, manifests, ownPrefixOf } from '#manifests'

/** What shows the API who asks. It lives as long as the tab. */
interface Credentials {
  token?: string
  username?: string
  password?: string
  /** The caller's secret, for components that authenticate each caller by one. */
  secret?: string
}

const key = 'quartermaster'

/** Components that authenticate each caller by a secret, with its header. */
const secretive = manifests.flatMap(({ name, secretHeader }) => (secretHeader ? [{ name, secretHeader }] : []))

let credentials: Credentials = read()
let client = clientOf(credentials)
const listeners = new Set<() => void>()

/** The client that all pages call the API with. */
export const q = () => client

/** What the API is shown at the moment. */
export const credentialsNow = () => credentials

/** Uses other credentials from now on; those that are not named stay. */
export function signIn(given: Credentials) {
  credentials = { ...credentials, ...given }
  sessionStorage.setItem(key, JSON.stringify(credentials))
  changed()
}

/** Forgets all credentials. */
export function signOut() {
  credentials = {}
  sessionStorage.removeItem(key)
  changed()
}

/** Runs when the credentials change; returns what ends that. */
export function onSession(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the API does not know who asks. */
export const isUnauthorized = (error: unknown) => error instanceof QuartermasterError && error.status === 401

/** Whether the same request is answered alike as long as nothing changes: it is not for a failure, or too many, to say so. */
export const isRefusal = (error: unknown) =>
  error instanceof QuartermasterError && error.status < 500 && error.status !== 429

/** In milliseconds: what has not said by then how it is, is down. */
const patience = 15_000

/** Whether a component is up, and what it depends on; the same of one that is not, which says so by a refusal. */
export async function healthOf(component: string, signal: AbortSignal): Promise<Health> {
  const headers = manifestOf(component)?.secretHeader ? secretHeaders() : authorization()
  const ends = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const response = await fetch(`/${component}${ownPrefixOf(component)}/_health`, {
    headers,
    credentials: 'omit',
    signal: ends,
  })
  const { content } = (await response.json()) as { content?: Health }
  return content ?? { state: 'down' }
}

/** The caller's own secret, in the headers of the components that ask for one. */
export const secretHeaders = (): Record<string, string> => ofSecret(({ secretHeader }) => secretHeader)

function ofSecret(keyOf: (component: (typeof secretive)[number]) => string): Record<string, string> {
  const { secret } = credentials
  return secret ? Object.fromEntries(secretive.map((component) => [keyOf(component), secret])) : {}
}

/** Headers for what the client does not send itself, such as an upload by tus. */
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
    // Whose credentials are wrong is asked by the page; the browser would ask for them in a window of its own.
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
