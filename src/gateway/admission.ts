// Decides which requests the gateway refuses before routing, to protect browsers: for service workers, and for foreign
// hosts on a local start.
import ipaddr from 'ipaddr.js'
import type { Failure } from '#core/failure'
import { addressOf, urlOf } from '#core/http/base'
import { isCapture } from './capture.ts'
import { servesConsole } from './console-origin.ts'
import type { Env } from './env.ts'
import { failure } from './errors.ts'
import type { Route } from './route.ts'

/** The error with which the gateway refuses a request before routing, or `undefined` if the request may pass. */
export const refusalOf = (env: Env, request: Request, route: Route | undefined): Failure | undefined =>
  serviceWorkerRefusal(env, request, route) ?? foreignHostRefusal(env, request, route)

/**
 * Refuses requests for the script of a service worker, which would stay installed and could answer all requests of its
 * origin. Only files of the console may be one, on the host of the console. Browsers mark such a request with the header `Service-Worker`.
 */
function serviceWorkerRefusal(env: Env, request: Request, route: Route | undefined): Failure | undefined {
  if (request.headers.get('service-worker')?.toLowerCase() !== 'script') return undefined
  if (!route && urlOf(request).pathname.startsWith('/console/') && servesConsole(env, request)) return undefined
  return failure('service_worker_refused')
}

/**
 * Refuses requests to foreign host names on a local start: a page of another site could make its own name resolve to
 * this machine (DNS rebinding), and would then have the same origin. Requests that a component only stores may have any
 * host.
 */
function foreignHostRefusal(env: Env, request: Request, route: Route | undefined): Failure | undefined {
  if (env.LOCAL !== 'true' || isOwnHost(env, urlOf(request).hostname) || isCapture(route)) return undefined
  return failure('host_refused')
}

function isOwnHost({ BASE_URL }: Env, hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  if (/(^|\.)localhost$/.test(host) || ipaddr.isValid(host.replace(/^\[|\]$/g, ''))) return true
  return Boolean(BASE_URL) && URL.parse(addressOf(BASE_URL!, host.split('.')[0]!))?.hostname === host
}
