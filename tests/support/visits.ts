// Paths of the tests' HTTP server that record requests by the key in their query, and reply as the query says.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { textOf } from './text-of.ts'

/** A request as it was received. */
export interface Visit {
  method: string
  path: string
  search: string
  headers: Record<string, string>
  body: string
}

/** All requests with one key in the order of arrival, and the maximum number of concurrent ones. */
export interface Visits {
  visits: Visit[]
  open: number
  most: number
}

interface Place extends Visits {
  held: (() => void)[]
  /** Number of requests that need not wait any more. */
  free: number
}

const places = new Map<string, Place>()

function placeOf(url: URL): Place {
  const key = url.searchParams.get('key') ?? ''
  const place = places.get(key) ?? { visits: [], open: 0, most: 0, held: [], free: 0 }
  places.set(key, place)
  return place
}

/** Waits for a call of `/release`, or until `together` requests are waiting. */
function held(place: Place, { searchParams }: URL): Promise<void> | undefined {
  const together = Number(searchParams.get('together') ?? 0)
  if (together === 0 && !searchParams.has('hold')) return undefined
  const waiting = new Promise<void>((go) => place.held.push(go))
  release(place, together > 0 && place.held.length >= together ? Number.POSITIVE_INFINITY : 0)
  return waiting
}

function release(place: Place, count: number) {
  place.free += count
  for (; place.free > 0 && place.held.length > 0; place.free--) place.held.shift()!()
}

async function visit(url: URL, request: IncomingMessage, response: ServerResponse) {
  const place = placeOf(url)
  place.most = Math.max(place.most, ++place.open)
  response.on('close', () => place.open--)
  const { method = '', headers } = request
  // A request is recorded only when its body is complete, so that a test never sees a part of it.
  const body = await textOf(request)
  const came = { method, path: url.pathname, search: url.search, headers: headers as Visit['headers'], body }
  const nth = place.visits.push(came)
  await held(place, url)
  const statuses = (url.searchParams.get('statuses') ?? '200').split(',')
  const retryAfter = url.searchParams.get('retry_after')
  response.writeHead(Number(statuses[nth - 1] ?? statuses.at(-1)), retryAfter ? { 'retry-after': retryAfter } : {})
  response.end()
}

/**
 * `/visit` records a request. `statuses` are those of the first, second … reply, the last for all later ones. With
 * `hold` the reply waits for `/release`, which releases `count` requests, or all; with `together` it waits until that
 * number of requests are waiting. `/visits` returns the records.
 */
export const behaviours = {
  '/visit': visit,
  '/visits': (url: URL, _: IncomingMessage, response: ServerResponse) => {
    const { visits, open, most } = placeOf(url)
    response.end(JSON.stringify({ visits, open, most }))
  },
  '/release': (url: URL, _: IncomingMessage, response: ServerResponse) => {
    release(placeOf(url), Number(url.searchParams.get('count') ?? Number.POSITIVE_INFINITY))
    response.end()
  },
}
