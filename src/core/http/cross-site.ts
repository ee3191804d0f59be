// Protection against cross-site request forgery (CSRF), by the `Sec-Fetch-Site` and `Origin` headers of browsers.
import { failure } from '#core/failure'
import { addressOf, urlOf } from './base.ts'

/** The variables that decide which origins may send state-changing requests. */
interface OriginEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
}

/**
 * Refuses a request that a browser sends for a page of another origin, with 403 `cross_site_request`. Browsers attach cached
 * Basic credentials by themselves, and can reach a local start on their machine. A page cannot forge `Sec-Fetch-Site` (Fetch
 * Metadata) or `Origin` (RFC 6454); requests with neither come from no browser. Not for requests with a bearer token: only a
 * script that knows the token can send it.
 */
export function refuseCrossSite(env: OriginEnv, component: string, request: Request): void {
  if (!isCrossSite(env, component, request)) return
  throw failure(
    'cross_site_request',
    'A browser sent this request for a page of another origin. Send a bearer token, or add the origin to CORS_ORIGINS.',
  )
}

function isCrossSite(env: OriginEnv, component: string, request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  const origin = request.headers.get('origin')
  return origin === null ? site !== null : !isTrusted(env, component, request, origin)
}

/** Whether the origin belongs to this deployment or is listed in `CORS_ORIGINS`. */
function isTrusted(env: OriginEnv, component: string, request: Request, origin: string): boolean {
  const from = URL.parse(origin)
  if (!from) return false
  const own = urlOf(request)
  if (from.origin === own.origin || isLocalSibling(own, from)) return true
  return isUnder(env.BASE_URL, component, from) || isListed(env, request, origin)
}

/**
 * Whether both URLs belong to the same local start. A local start serves `localhost` and each `*.localhost` on one
 * port, so these origins trust each other.
 */
const isLocalSibling = (own: URL, from: URL) =>
  [own, from].every(({ hostname }) => /(^|\.)localhost$/.test(hostname)) &&
  own.protocol === from.protocol &&
  own.port === from.port

/** Whether an origin belongs to `BASE_URL`, where any single label may stand for `{component}` in the host. */
function isUnder(base: string | undefined, component: string, from: URL): boolean {
  if (!base) return false
  const label = from.hostname.split('.')[0]!
  return [component, label].some((name) => URL.parse(addressOf(base, name))?.origin === from.origin)
}

/**
 * Whether `CORS_ORIGINS` lists the origin. `*` allows any page, but not with HTTP Basic credentials, which browsers
 * attach by themselves.
 */
function isListed({ CORS_ORIGINS = '' }: OriginEnv, request: Request, origin: string): boolean {
  const origins = CORS_ORIGINS.split(',').map((listed) => listed.trim())
  return (
    origins.includes(origin) || (origins.includes('*') && !/^basic /i.test(request.headers.get('authorization') ?? ''))
  )
}
