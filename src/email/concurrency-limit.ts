// Limits the total size of the mail requests that are processed at a time, since their bodies are in the Worker's memory. A
// request that waits too long for its turn gets 503.
import { hasAccess } from '#core/http/access'
import type { ComponentApi } from '#core/http/api'
import { skipBody } from '#core/http/body'
import { reject } from '#core/http/observe'
import type { Env } from './bindings.ts'
import { failure } from './errors.ts'

/** Maximum size of a request body in bytes. */
export const bodyLimit = 25_000_000

/**
 * Wraps the component with the limit. While a body is read it takes three times its size in memory. A request for which there
 * is no room waits for up to `waitTimeoutMs`.
 */
export function withConcurrencyLimit<Calls>(
  app: ComponentApi<Env, Calls>,
  { maxBytes = defaultMaxBytes, waitTimeoutMs = defaultWaitTimeoutMs } = {},
) {
  return {
    about: app.about,
    async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
      // A request without access gets an error from the component. It must not take the room of other requests.
      if (!(await hasAccess(env, request, 'email', 'write'))) return app.fetch(request, env, ctx)
      const reservation = reservationFor(request)
      if (!(await enter(reservation, maxBytes, waitTimeoutMs))) return refuseRequest(env, request, ctx)
      const work = app.fetch(request, env, ctx).finally(() => leave(reservation))
      // If the client disconnects, `waitUntil` keeps the request running until it gives its bytes back.
      ctx.waitUntil(work.catch(() => undefined))
      return work
    },
  }
}

/** The bytes that a request occupies. */
interface Reservation {
  bytes: number
  /**
   * End of the lease, in milliseconds since the epoch. It frees the bytes of a request that the platform ended without running
   * its `finally`.
   */
  until: number
}

/** Maximum bytes in progress, separately for large and for small bodies, so that small mails do not wait for large ones. */
const defaultMaxBytes = { large: bodyLimit, small: 20_000_000 }

const defaultWaitTimeoutMs = 10_000

/** Memory of a request without its body, in bytes. Each request counts at least this. */
const minRequestBytes = 20_000
const largeBodyBytes = 256_000

/** Lease of a reservation. It is longer than the longest mail takes, which is less than four minutes, with a second server. */
const leaseMs = 240_000
const pollIntervalMs = 20

const reservations: Record<keyof typeof defaultMaxBytes, Set<Reservation>> = { large: new Set(), small: new Set() }

function reservationFor({ body, headers }: Request): Reservation {
  // A body without Content-Length may turn out to have the maximum size.
  const announced = Number(headers.get('content-length') ?? (body ? bodyLimit : 0))
  return { bytes: Math.min(Math.max(announced, minRequestBytes), bodyLimit), until: 0 }
}

const laneOf = ({ bytes }: Reservation) => (bytes > largeBodyBytes ? 'large' : 'small')

async function enter(
  reservation: Reservation,
  maxBytes: typeof defaultMaxBytes,
  waitTimeoutMs: number,
): Promise<boolean> {
  const lane = laneOf(reservation)
  const end = Date.now() + waitTimeoutMs
  while (bytesIn(lane) + reservation.bytes > maxBytes[lane]) {
    if (Date.now() >= end) return false
    await scheduler.wait(pollIntervalMs)
  }
  reservation.until = Date.now() + leaseMs
  reservations[lane].add(reservation)
  return true
}

function bytesIn(lane: keyof typeof reservations): number {
  let sum = 0
  for (const reservation of reservations[lane]) {
    if (reservation.until < Date.now()) reservations[lane].delete(reservation)
    else sum += reservation.bytes
  }
  return sum
}

const leave = (reservation: Reservation) => reservations[laneOf(reservation)].delete(reservation)

async function refuseRequest(env: Env, request: Request, ctx: ExecutionContext): Promise<Response> {
  await skipBody(request, bodyLimit)
  const error = failure('unavailable', 'Too many mails are being sent at the moment. Retry later.', { retryAfter: 5 })
  return reject({ name: 'email' }, request, { env, ctx, error, route: 'admission' })
}
