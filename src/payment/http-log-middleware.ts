// Wraps the component so that its HTTP requests are logged. Decides how much of each is logged; http-log-writer.ts writes it.
import { concat } from '#core/chunks'
import { open } from '#core/db/open'
import { hasAccess } from '#core/http/access'
import { urlOf } from '#core/http/base'
import { describe, log } from '#core/http/log'
import { maxEncodedNumberLength } from '#core/masking/mask'
import type { Env } from './bindings.ts'
import { unauthenticatedQuotaOf } from './env.ts'
import { decodeLogText } from './http-log-text.ts'
import {
  authenticatedLimits,
  floodLimits,
  type LogLimits,
  logRequest,
  unauthenticatedLimits,
  wrongHmacLimits,
} from './http-log-writer.ts'
import { schema } from './schema.ts'

interface Component {
  about: { name: string }
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/** Wraps the component so that every request is logged, except health checks, metrics and the API documentation. */
export const withHttpLog = <App extends Component>({ about, fetch }: App): Component => ({
  about,
  async fetch(request, env, ctx) {
    if (unloggedPaths.has(urlOf(request).pathname)) return fetch(request, env, ctx)
    const copy = request.body ? request.clone() : undefined
    const response = await fetch(request, env, ctx)
    if (loggedRequests.has(request)) {
      await copy?.body?.cancel()
      return response
    }
    const isAuthenticated = response.status !== 401 && (await hasAccess(env, request, 'payment', 'read'))
    // Reads the body before the reply is returned, since the runtime closes the body of the request after the reply.
    const body = await beginningOf(
      copy,
      isAuthenticated ? 4 * authenticatedLimits.body : 64 * unauthenticatedLimits.body,
    )
    const logging = logWithinQuota(env, request, body, isAuthenticated)
    // The reply to a notification waits for its log entry, so that a crash after the reply loses no entry. Other replies do not wait.
    if (notificationPaths.has(urlOf(request).pathname)) await logging
    else ctx.waitUntil(logging)
    return response
  },
})

const notificationPaths = new Set(['/check', '/pay'])

const unloggedPaths = new Set(['/_health', '/_metrics', '/_docs', '/_openapi.json'])

/** Requests that `logAuthenticatedRequest` has logged, so that the wrapper does not log them again. */
const loggedRequests = new WeakSet<Request>()

/** Logs the whole request of an authenticated caller. A failure to log is logged as an error and does not fail the request. */
export async function logAuthenticatedRequest(env: Env, request: Request, bytes: Uint8Array): Promise<void> {
  loggedRequests.add(request)
  await write(env, request, decodeLogText(bytes), authenticatedLimits)
}

async function logWithinQuota(env: Env, request: Request, body: string, isAuthenticated: boolean) {
  const limits = isAuthenticated ? authenticatedLimits : await limitsForUnauthenticated(env, request, body)
  if (limits) await write(env, request, body, limits)
}

async function write(env: Env, request: Request, body: string, limits: LogLimits) {
  try {
    await logRequest(open(env, schema), env, { request, body }, limits)
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
  }
}

/** End of the hour whose quota is exhausted, in milliseconds since 1970. Until then, this isolate does not call the quota's object. */
const exhaustedUntil = new WeakMap<Env['LOG_QUOTA'], number>()

/** Unauthenticated requests per hour that are logged with headers and body. */
const maxDetailedPerHour = 500

/** Characters per hour that are logged of notifications with a wrong HMAC. */
const maxWrongHmacChars = 2_000_000

/** The limits for an unauthenticated request by this hour's quotas; undefined if the request is not logged. */
async function limitsForUnauthenticated(env: Env, request: Request, body: string): Promise<LogLimits | undefined> {
  const { LOG_QUOTA } = env
  const maxPerHour = unauthenticatedQuotaOf(env)
  if (maxPerHour > 0 && (await isLoggedForWrongHmac(env, request, body))) return wrongHmacLimits
  if (Date.now() < (exhaustedUntil.get(LOG_QUOTA) ?? 0)) return undefined
  try {
    const { nth, until } = await LOG_QUOTA.getByName('strangers').take(maxPerHour)
    if (nth !== undefined) return nth <= maxDetailedPerHour ? unauthenticatedLimits : floodLimits
    exhaustedUntil.set(LOG_QUOTA, until)
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
  }
  return undefined
}

/** Whether this is a notification with a wrong HMAC that fits into this hour's quota for such notifications. */
async function isLoggedForWrongHmac(
  { LOG_QUOTA, PAYMENT_API_SECRET }: Env,
  request: Request,
  body: string,
): Promise<boolean> {
  const { url, headers } = request
  const isSigned = headers.has('content-hmac') || headers.has('x-content-hmac')
  if (!PAYMENT_API_SECRET || !isSigned || !notificationPaths.has(urlOf(request).pathname)) return false
  const characters =
    Math.min(url.length, wrongHmacLimits.url) + wrongHmacLimits.headers + Math.min(body.length, wrongHmacLimits.body)
  try {
    const { nth } = await LOG_QUOTA.getByName('notifications').take(maxWrongHmacChars, characters)
    return nth !== undefined
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
    return false
  }
}

/**
 * The first bytes of a body as text: more than is logged, since masking works best on whole values. The end of a cut text is
 * dropped, because it may be a part of a card number, which masking would not recognise.
 */
async function beginningOf(copy: Request | undefined, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (copy?.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size > maxBytes) return decodeLogText(concat(chunks, maxBytes)).slice(0, -maxEncodedNumberLength)
  }
  return decodeLogText(concat(chunks, size))
}
