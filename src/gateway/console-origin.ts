// The console has a separate origin where a host name for it exists, so that other pages of the deployment, such as canned replies
// of the catcher, cannot access its data in the browser. Its API calls are routed by path on that host too.
import { addressOf, prefixOf, urlOf } from '#core/http/base'
import { isNavigation } from '#core/http/navigation'
import { manifestOf } from '#manifests'
import { isCapture } from './capture.ts'
import type { Env } from './env.ts'
import type { Route } from './route.ts'
import { hasConsole } from './site.ts'

/**
 * The origin of the console: `console.localhost` on a local start, or that of `BASE_URL` with `console` for `{component}`. `undefined` if
 * it has none, and stays at `/console/` of every host.
 */
function consoleOriginOf({ BASE_URL, LOCAL }: Env, request: Request): string | undefined {
  const { protocol, hostname, port } = urlOf(request)
  // Not for IP addresses: the browser may be on another machine, for which `localhost` is another host.
  if (LOCAL === 'true' && /(^|\.)localhost$/.test(hostname))
    return `${protocol}//console.localhost${port && `:${port}`}`
  if (!BASE_URL) return undefined
  const [ofConsole, ofOther] = ['console', 'other'].map((name) => URL.parse(addressOf(BASE_URL, name))?.origin)
  return ofConsole === ofOther ? undefined : ofConsole
}

/** Whether the host of a request serves the console, so that files of the console may be service workers there. */
export function servesConsole(env: Env, request: Request): boolean {
  const origin = consoleOriginOf(env, request)
  return origin === undefined || isHostOf(origin, request)
}

// The scheme may differ behind a proxy.
const isHostOf = (origin: string, request: Request) => new URL(origin).host === urlOf(request).host

/**
 * The URL to which a request is redirected: from the `consoleLink` of a component to its page in the console, and, to keep the console
 * and other pages apart, from `/console` of other hosts to the console's host, and from pages of components and captured requests on the console's host to the component. Other requests for components are
 * API calls of the console, and are routed on its host.
 */
export function redirectOf(env: Env, request: Request, route: Route | undefined): string | undefined {
  if (!hasConsole(env)) return undefined
  const origin = consoleOriginOf(env, request)
  const page = route && isRead(request) ? consolePageOf(route, origin) : undefined
  if (page || !origin) return page
  const { pathname, search } = urlOf(request)
  if (!isHostOf(origin, request)) {
    const isOfConsole = !route && isRead(request) && /^\/console(\/|$)/.test(pathname)
    return isOfConsole ? origin + (pathname === '/console' ? '/console/' : pathname) + search : undefined
  }
  if (route) return isCapture(route) || isNavigation(request) ? addressOfRoute(env, origin, route) : undefined
  return pathname === '/' && isNavigation(request) ? '/console/' : undefined
}

/** The console's page of a component, if the request is for the component's `consoleLink`, with the same query. */
function consolePageOf({ component, request }: Route, origin: string | undefined): string | undefined {
  const { consoleLink, page = component } = manifestOf(component) ?? {}
  const { pathname, search } = urlOf(request)
  // Without a separate origin, the console is not on the subdomains of components.
  const hasPath = origin !== undefined || prefixOf(request) !== ''
  return pathname === consoleLink && hasPath ? `${origin ?? ''}/console/#/${page}${search}` : undefined
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** The URL of a request at the component's own address. The path is cut as text, so that its encoding does not change. */
function addressOfRoute({ BASE_URL, LOCAL }: Env, consoleOrigin: string, { component, request }: Route): string {
  const [, target = ''] = /^\w+:\/\/[^/?#]*(.*)$/s.exec(request.url) ?? []
  const isLocal = LOCAL === 'true' && new URL(consoleOrigin).hostname === 'console.localhost'
  const base = isLocal ? consoleOrigin.replace('//console.', '//') : BASE_URL!
  return addressOf(base, component) + target
}
