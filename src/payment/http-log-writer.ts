// Writes a request into payment_http_log, masked and cut to limits that depend on its authentication.
import { baseUrl, urlOf } from '#core/http/base'
import { maskBody, maskHeader, maskUrl } from '#core/masking/mask'
import type { Env } from './bindings.ts'
import type { PaymentStore } from './schema.ts'

/** Maximum number of characters of a request that are logged. */
export interface LogLimits {
  url: number
  headers: number
  body: number
}

/** Limits for requests with credentials or a valid HMAC. */
export const authenticatedLimits: LogLimits = { url: 8_000, headers: 16_000, body: 64_000 }

/** Limits for notifications with a wrong HMAC. These entries show an operator that PAYMENT_API_SECRET is not the processor's secret. */
export const wrongHmacLimits: LogLimits = { url: 8_000, headers: 4_000, body: 16_000 }

/** Limits for all other unauthenticated requests. */
export const unauthenticatedLimits: LogLimits = { url: 1_000, headers: 2_000, body: 1_000 }

/** Limits for unauthenticated requests beyond the first 500 of an hour. After a month of a flood, 10 GB still have room for payments. */
export const floodLimits: LogLimits = { url: 300, headers: 0, body: 0 }

/** Inserts a request into payment_http_log, without card data and credentials. */
export async function logRequest(
  { db, requests }: PaymentStore,
  env: Env,
  { request, body }: { request: Request; body: string },
  limits: LogLimits,
): Promise<void> {
  const { pathname, search } = urlOf(request)
  await db.insert(requests).values({
    ip: storable(ipOf(request), 45),
    url: storable(maskUrl(baseUrl(env, 'payment', request) + pathname + search), limits.url),
    method: request.method.slice(0, 20),
    headers: headersOf(request, limits.headers),
    body: storable(maskBody(body), limits.body),
    created_at: new Date(),
  })
}

/** Client IP address as reported by Cloudflare, or else by a proxy. */
const ipOf = ({ headers }: Request) =>
  headers.get('cf-connecting-ip') ?? headers.get('x-real-ip') ?? headers.get('x-forwarded-for')?.split(',')[0] ?? ''

/** The first headers as JSON, up to `maxLength` characters of names and values. */
function headersOf({ headers }: Request, maxLength: number): string {
  const fitting: Record<string, string> = {}
  let room = maxLength
  for (const [name, value] of headers) {
    const text = storable(maskHeader(name, value), maxLength)
    room -= name.length + text.length
    if (room >= 0) fitting[name] = text
  }
  return JSON.stringify(fitting)
}

/** The first characters of a text, in a form that both databases can store: Postgres rejects NUL and lone surrogates. */
const storable = (text: string, maxLength: number) => text.slice(0, maxLength).replaceAll('\0', '\u2400').toWellFormed()
