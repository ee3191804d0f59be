// Finds the component that a request is for, which a subdomain or the first segment of the path names.
import { prefixHeader, urlOf } from '#core/http/base'
import type { Env } from './env.ts'
import { type Service, serviceOf } from './services.ts'

/** The component of a request, with the request that is passed on to the component. */
export interface Route {
  component: string
  service: Service
  request: Request
}

/**
 * Finds the component of a request: the first label of the host names it, else the first segment of the path, which is
 * then removed. The path is cut as text, so that its encoding does not change. The body is passed on, also that of a
 * GET.
 */
export function routeOf(env: Env, request: Request): Route | undefined {
  const { origin, hostname } = urlOf(request)
  const [, target] = /^\w+:\/\/[^/?#]*(.*)$/s.exec(request.url)!
  const [label, ...domain] = hostname.split('.')
  const bySubdomain = domain.length > 0 && serviceOf(env, label!)
  if (bySubdomain)
    return { component: label!, service: bySubdomain, request: passed(request, `${origin}${target}`, '') }
  const component = /^\/([^/?#]*)/.exec(target!)?.[1] ?? ''
  const service = serviceOf(env, component)
  if (!service) return undefined
  const rest = target!.slice(component.length + 1)
  const url = `${origin}${rest.startsWith('/') ? '' : '/'}${rest}`
  return { component, service, request: passed(request, url, `/${component}`) }
}

/** Returns the request with another URL, and the removed path prefix in a header. */
function passed(request: Request, url: string, prefix: string): Request {
  const copy = new Request(url, request)
  copy.headers.set(prefixHeader, prefix)
  return copy
}
