import { baseUrl, urlOf } from '#core/http/base'
import type { Env } from './bindings.ts'
import { maskBody, maskHeader, maskUrl } from './masking/mask.ts'
import type { PaymentStore } from './schema.ts'

/** The most characters of a request that are kept. */
export interface Bounds {
  url: number
  headers: number
  body: number
}

/** Of those who have shown who they are. */
export const known: Bounds = { url: 8_000, headers: 16_000, body: 64_000 }

/** Of notifications with a wrong HMAC: the log is what shows that the configured secret is not the processor's. */
export const unproven: Bounds = { url: 8_000, headers: 4_000, body: 16_000 }

/** Of everybody else, who could send it all day. */
export const stranger: Bounds = { url: 1_000, headers: 2_000, body: 1_000 }

/** Of the same in an hour that has had many of them: a month of a flood leaves room for payments in a database of 10 GB. */
export const crowd: Bounds = { url: 300, headers: 0, body: 0 }

/** Writes a request down, without card data and credentials. */
export async function logRequest(
  { db, requests }: PaymentStore,
  env: Env,
  { request, body }: { request: Request; body: string },
  bounds: Bounds,
): Promise<void> {
  const { pathname, search } = urlOf(request)
  await db.insert(requests).values({
    ip: storable(ipOf(request), 45),
    url: storable(maskUrl(baseUrl(env, 'payment', request) + pathname + search), bounds.url),
    method: request.method.slice(0, 20),
    headers: headersOf(request, bounds.headers),
    body: storable(maskBody(body), bounds.body),
    created_at: new Date(),
  })
}

/** Whom the request is from, as the platform says, or else a proxy. */
const ipOf = ({ headers }: Request) =>
  headers.get('cf-connecting-ip') ?? headers.get('x-real-ip') ?? headers.get('x-forwarded-for')?.split(',')[0] ?? ''

/** As many of the headers as have room, as JSON. */
function headersOf({ headers }: Request, most: number): string {
  const kept: Record<string, string> = {}
  let room = most
  for (const [name, value] of headers) {
    const text = storable(maskHeader(name, value), most)
    room -= name.length + text.length
    if (room >= 0) kept[name] = text
  }
  return JSON.stringify(kept)
}

/** The first characters of a text, as both databases take them. */
const storable = (text: string, most: number) => text.slice(0, most).replaceAll('\0', '\u2400').toWellFormed()
