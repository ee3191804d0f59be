// A place of the target that remembers who came, and answers as it is told: by the key of whoever comes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { textOf } from './text-of.ts'

/** A request as it arrived. */
export interface Visit {
  method: string
  path: string
  search: string
  headers: Record<string, string>
  body: string
}

/** All that came with one key, in the order of arrival, and how many were there at once. */
export interface Visits {
  visits: Visit[]
  open: number
  most: number
}

interface Place extends Visits {
  held: (() => void)[]
  /** How many may yet go without waiting. */
  free: number
}

const places = new Map<string, Place>()

function placeOf(url: URL): Place {
  const key = url.searchParams.get('key') ?? ''
  const place = places.get(key) ?? { visits: [], open: 0, most: 0, held: [], free: 0 }
  places.set(key, place)
  return place
}

/** Waits for `/release`, or until `together` requests are there at the same moment. */
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
  // Who looks sees none of which a part is still to come.
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
 * `/visit` notes who comes. `statuses` are those of the first, second … answer, the last for all after; with `hold` an answer
 * waits for `/release` (of `count` of them, those to come included, else of all), with `together` until so many wait.
 * `/visits` tells.
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
