import { concat } from '#core/chunks'
import { open } from '#core/db/open'
import { hasAccess } from '#core/http/access'
import { urlOf } from '#core/http/base'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { strangersOf } from './env.ts'
import { escapedText } from './http-log-text.ts'
import { type Bounds, crowd, known, logRequest, stranger, unproven } from './http-log-writer.ts'
import { longestNumber } from './masking/mask.ts'
import { schema } from './schema.ts'

interface Served {
  about: { name: string }
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response>
}

/** The component with a log of every request that it gets, but those that ask how it is and what it can do. */
export const logged = <App extends Served>({ about, fetch }: App): Served => ({
  about,
  async fetch(request, env, ctx) {
    if (unlogged.has(urlOf(request).pathname)) return fetch(request, env, ctx)
    const copy = request.body ? request.clone() : undefined
    const response = await fetch(request, env, ctx)
    if (noted.has(request)) {
      await copy?.body?.cancel()
      return response
    }
    const isKnown = response.status !== 401 && (await hasAccess(env, request))
    // No body can be read once the answer is sent.
    const body = await beginningOf(copy, isKnown ? 4 * known.body : 64 * stranger.body)
    const kept = keep(env, request, body, isKnown)
    // Nobody waits for a line of the log but who says that there is a payment.
    if (notifications.has(urlOf(request).pathname)) await kept
    else ctx.waitUntil(kept)
    return response
  },
})

const notifications = new Set(['/check', '/pay'])

const unlogged = new Set(['/_health', '/_metrics', '/_docs', '/_openapi.json'])

const noted = new WeakSet<Request>()

/** Writes down a request of somebody who is known to be who he says, whole. A payment is not lost for want of a line. */
export async function noteRequest(env: Env, request: Request, bytes: Uint8Array): Promise<void> {
  noted.add(request)
  await write(env, request, escapedText(bytes), known)
}

async function keep(env: Env, request: Request, body: string, isKnown: boolean) {
  const bounds = isKnown ? known : await roomOf(env, request, body)
  if (bounds) await write(env, request, body, bounds)
}

async function write(env: Env, request: Request, body: string, bounds: Bounds) {
  try {
    await logRequest(open(env, schema), env, { request, body }, bounds)
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
  }
}

/** Until when this isolate need not ask. */
const closed = new WeakMap<Env['LOG_QUOTA'], number>()

/** How many requests of strangers are kept in detail in an hour. */
const detailed = 500

/** Characters of notifications with a wrong HMAC that are kept in an hour. */
const maxUnproven = 2_000_000

/** How much of one more unauthenticated request may be kept; nothing if none of it may be. */
async function roomOf(env: Env, request: Request, body: string): Promise<Bounds | undefined> {
  const { LOG_QUOTA } = env
  if (strangersOf(env) > 0 && (await isUnproven(env, request, body))) return unproven
  if (Date.now() < (closed.get(LOG_QUOTA) ?? 0)) return undefined
  try {
    const { nth, until } = await LOG_QUOTA.getByName('strangers').take(strangersOf(env))
    if (nth !== undefined) return nth <= detailed ? stranger : crowd
    closed.set(LOG_QUOTA, until)
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
  }
  return undefined
}

/** Whether this is a notification with an HMAC, though a wrong one, and this hour's quota of them has room for it. */
async function isUnproven({ LOG_QUOTA, PAYMENT_API_SECRET }: Env, request: Request, body: string): Promise<boolean> {
  const { url, headers } = request
  const isSigned = headers.has('content-hmac') || headers.has('x-content-hmac')
  if (!PAYMENT_API_SECRET || !isSigned || !notifications.has(urlOf(request).pathname)) return false
  const characters = Math.min(url.length, unproven.url) + unproven.headers + Math.min(body.length, unproven.body)
  try {
    const { nth } = await LOG_QUOTA.getByName('notifications').take(maxUnproven, characters)
    return nth !== undefined
  } catch (error) {
    log('error', { component: 'payment', route: 'http log', ...describe(error) })
    return false
  }
}

/** The first bytes of a body as text: more than is kept, since masking works best on whole values. */
async function beginningOf(copy: Request | undefined, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (copy?.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size > maxBytes) return escapedText(concat(chunks, maxBytes)).slice(0, -longestNumber)
  }
  return escapedText(concat(chunks, size))
}
