import { hasAccess } from '#core/http/access'
import type { ComponentApi } from '#core/http/api'
import { skipBody } from '#core/http/body'
import { log } from '#core/http/log'
import { explain, refuse } from '#core/http/reply'
import { requestIdOf } from '#core/http/request-id'
import { recordRequest } from '#core/metrics/requests'
import type { Env } from './bindings.ts'
import { failure } from './errors.ts'

/** The most bytes that the body of a request may have. */
export const bodyLimit = 25_000_000

/**
 * The component, let in only so much at once: a body is in memory before a handler sees it, and takes three times its
 * size while it is read. Who finds no room waits, and is answered 503 in the end.
 */
export function admitting<Calls>(app: ComponentApi<Env, Calls>, { most = usualMost, patience = usualPatience } = {}) {
  return {
    about: app.about,
    async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
      // Who is refused anyway takes nobody's place, however slow.
      if (!(await hasAccess(env, request))) return app.fetch(request, env, ctx)
      const place = placeOf(request)
      if (!(await enter(place, most, patience))) return turnAway(env, request)
      const work = app.fetch(request, env, ctx).finally(() => leave(place))
      // Goes on for a while when the caller is gone, so that it leaves.
      ctx.waitUntil(work.catch(() => undefined))
      return work
    },
  }
}

interface Place {
  bytes: number
  /** Milliseconds; who has been cut off before it could leave is gone by then. */
  until: number
}

/** Bytes of large bodies together, and of small ones, which do not wait for large ones. */
const usualMost = { large: bodyLimit, small: 20_000_000 }

const usualPatience = 10_000

/** A request has this many bytes at the least, all that is not its body included. */
const least = 20_000
const large = 256_000

/** Milliseconds: a mail takes two minutes at the most. */
const lease = 150_000
const step = 20

const places: Record<keyof typeof usualMost, Set<Place>> = { large: new Set(), small: new Set() }

function placeOf({ body, headers }: Request): Place {
  // One that does not say how long it is may be as long as any.
  const announced = Number(headers.get('content-length') ?? (body ? bodyLimit : 0))
  return { bytes: Math.min(Math.max(announced, least), bodyLimit), until: 0 }
}

const laneOf = ({ bytes }: Place) => (bytes > large ? 'large' : 'small')

async function enter(place: Place, most: typeof usualMost, patience: number): Promise<boolean> {
  const lane = laneOf(place)
  const end = Date.now() + patience
  while (bytesIn(lane) + place.bytes > most[lane]) {
    if (Date.now() >= end) return false
    await scheduler.wait(step)
  }
  place.until = Date.now() + lease
  places[lane].add(place)
  return true
}

function bytesIn(lane: keyof typeof places): number {
  let sum = 0
  for (const place of places[lane]) {
    if (place.until < Date.now()) places[lane].delete(place)
    else sum += place.bytes
  }
  return sum
}

const leave = (place: Place) => places[laneOf(place)].delete(place)

async function turnAway(env: Env, request: Request): Promise<Response> {
  const started = Date.now()
  await skipBody(request, bodyLimit)
  const request_id = requestIdOf(request)
  const refusal = failure('unavailable', 'Too much mail is being sent at once.', { retryAfter: 5 })
  const response = refuse(refusal, explain('', request, request_id))
  response.headers.set('x-request-id', request_id)
  const answered = { component: 'email', route: 'admission', method: request.method, status: response.status }
  log('error', { ...answered, request_id })
  recordRequest(env, { ...answered, code: refusal.code, ms: Date.now() - started })
  return response
}
