import ipaddr from 'ipaddr.js'
import type { Failure } from '#core/failure'
import { addressOf, urlOf } from '#core/http/base'
import { manifestOf } from '#manifests'
import type { Env } from './env.ts'
import { failure } from './errors.ts'
import type { Route } from './route.ts'

/** Why the gateway itself refuses a request, whatever it is for; nothing if it may pass. */
export const refusalOf = (env: Env, request: Request, route: Route | undefined): Failure | undefined =>
  serviceWorkerRefusal(request, route) ?? foreignHostRefusal(env, request, route)

/**
 * A service worker stays in the browser and answers for its whole origin, so that only the console's own files may be one.
 * Browsers mark the request for its script (Service Workers, "Service-Worker" header).
 */
function serviceWorkerRefusal(request: Request, route: Route | undefined): Failure | undefined {
  if (request.headers.get('service-worker')?.toLowerCase() !== 'script') return undefined
  if (!route && urlOf(request).pathname.startsWith('/console/')) return undefined
  return failure('service_worker_refused')
}

/**
 * A local start answers to its own names only: a page of another site can let its name lead to this machine (DNS rebinding),
 * and would then count as the same origin. A request that a component stores may come under any name.
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

/** Whether the component stores a request, in place of answering it by one of its own endpoints. */
function isCapture(route: Route | undefined): boolean {
  const { ownPaths } = (route && manifestOf(route.component)) ?? {}
  if (!route || !ownPaths) return false
  const [, path = ''] = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(route.request.url) ?? []
  const asked = decoded(path).replace(/^\/+/, '/')
  return !ownPaths.some((own) => asked.startsWith(own))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
