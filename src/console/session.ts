// The user's credentials in this tab of the browser, and the API client that sends them.
import { type Health, QuartermasterError, quartermaster } from '#client/index'
import { manifestOf, manifests, ownPrefixOf } from '#manifests'
import { issueShared, onShared, readShared, removeShared, type SharedToken, writeShared } from './shared-token.ts'

/** The user's credentials. They are kept in `sessionStorage`, so they are gone when the tab is closed. */
interface Credentials {
  /** A key of the component `access`, or a root token. The tab sends it only to get a token, or if `access` issues none. */
  token?: string
  username?: string
  password?: string
  /** The user's secret for components that have their own accounts, such as the bus. */
  secret?: string
  /** The sign-in for which `token` renews the token of all tabs. */
  session?: string
}

const key = 'quartermaster'

/** Components that have their own accounts, and the header in which each expects the user's secret. */
const secretive = manifests.flatMap(({ name, secretHeader }) => (secretHeader ? [{ name, secretHeader }] : []))

/** Delay after which a failed renewal is tried again, in milliseconds. */
const retryDelayMs = 30_000

/** A token that the API refuses within this time is not renewed: a new one would be refused too. */
const minTokenAgeMs = 60_000

let issuedAt = Number.NEGATIVE_INFINITY
let credentials: Credentials = read()
let shared: SharedToken | undefined = readShared()
let client = clientOf()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

// Another tab has signed in with another key since this tab did.
if (shared && credentials.session !== shared.session) forgetKey()
if (credentials.token && !shared) void renew()
schedule()

onShared((now) => {
  const before = shared
  shared = now
  schedule()
  if (now && now.session === before?.session) return
  if (now) forgetKey()
  else store({})
  changed()
})

/** The API client with the current credentials. Its name is short, since every page calls it. */
export const q = () => client

/** The current credentials of this tab. */
export const credentialsNow = () => credentials

/** Whether the user has signed in, here or in another tab. */
export const hasSession = () => shared !== undefined || Object.keys(credentials).length > 0

/** Identifies the user who is signed in, for data that the next user may not see. Renewing the token does not change it. */
export const userNow = () => shared?.session ?? authorization().authorization

/**
 * Changes the credentials. Credentials that are not given are kept. A key is exchanged for a token, which signs in all tabs; if
 * `access` issues none, this tab sends the key itself.
 */
export async function signIn(changes: Credentials) {
  store({ ...credentials, ...changes, ...(changes.token && { session: newSession() }) })
  if (changes.token) {
    shared = undefined
    // If no new token can be issued, other tabs and a reload must not continue with the token of the previous user.
    removeShared()
    await renew()
  }
  changed()
}

/** Deletes all credentials, and signs out the other tabs. */
export function signOut() {
  shared = undefined
  removeShared()
  store({})
  schedule()
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
  // The component answers, and refuses the credentials: with a wrong `Api-Secret` too.
  if (response.status === 401) return { state: 'up' }
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
  const bearer = bearerNow()
  if (bearer) return { authorization: `Bearer ${bearer}` }
  const { username, password } = credentials
  if (!username) return {}
  const bytes = new TextEncoder().encode(`${username}:${password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** The token of all tabs, or the key of this tab while there is none. */
function bearerNow(): string | undefined {
  return shared && shared.expires > Date.now() ? shared.token : credentials.token
}

/** Exchanges the key of this tab for a new token, for all tabs. */
async function renew(): Promise<void> {
  const { token, session = newSession() } = credentials
  if (!token) return
  const issued = await issueShared(token, session)
  // The user has signed out, or signed in with another key, meanwhile.
  if (credentials.token !== token) return
  if (typeof issued === 'object') {
    issuedAt = Date.now()
    if (session !== credentials.session) store({ ...credentials, session })
    shared = issued
    writeShared(issued)
    schedule()
  } else if (issued === 0 || issued >= 500) schedule(retryDelayMs)
  // Other replies do not change: `access` is not deployed, or the key is wrong. The tab continues with the key itself.
}

/** Sets the timer that renews the token in a tab with the key, and signs out other tabs when the token expires. */
function schedule(delayMs?: number) {
  clearTimeout(timer)
  if (!shared && delayMs === undefined) return
  const hasKey = credentials.token !== undefined
  const due = hasKey ? shared?.renews : shared?.expires
  timer = setTimeout(hasKey ? renew : expire, delayMs ?? Math.max(0, due! - Date.now()))
}

function expire() {
  shared = undefined
  changed()
}

/** Handles the reply 401 to the token of all tabs, such as after its key was deleted. */
function refused(token: string) {
  if (token !== shared?.token) return
  shared = undefined
  if (credentials.token && Date.now() - issuedAt > minTokenAgeMs) void renew().then(changed)
  else changed()
}

function forgetKey() {
  const { token: _token, session: _session, ...others } = credentials
  store(others)
}

function store(changes: Credentials) {
  credentials = changes
  if (Object.keys(changes).length > 0) sessionStorage.setItem(key, JSON.stringify(changes))
  else sessionStorage.removeItem(key)
}

function changed() {
  client = clientOf()
  for (const listener of listeners) listener()
}

function clientOf() {
  const { username, password, secret } = credentials
  return quartermaster({
    url: location.origin,
    fetch: fetchWithoutPrompt,
    // A function, since a stream or a retry may outlive a token.
    ...(bearerNow() && { token: () => bearerNow() ?? '' }),
    ...(username && { username, password: password ?? '' }),
    ...(secret && { secrets: ofSecret(({ name }) => name) }),
  })
}

/** Without `credentials: 'omit'` the browser could add credentials that it stores for this origin. */
async function fetchWithoutPrompt(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, credentials: 'omit' })
  // Components with their own accounts reply 401 to a wrong secret.
  if (
    response.status === 401 &&
    !secretive.some(({ name }) => new URL(response.url).pathname.startsWith(`/${name}/`))
  ) {
    const [, token = ''] = /^Bearer (.*)$/.exec(new Headers(init?.headers).get('authorization') ?? '') ?? []
    refused(token)
  }
  return response
}

/** `randomUUID` is not used, since pages without TLS do not have it. */
function newSession(): string {
  return String(crypto.getRandomValues(new Uint32Array(2)))
}

function read(): Credentials {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Credentials
  } catch {
    return {}
  }
}
