import { prefixHeader, urlOf } from '#core/http/base'
import { type Env, type Service, serviceOf } from './env.ts'

/** A component, and the request as it shall see it. */
export interface Route {
  component: string
  service: Service
  request: Request
}

/**
 * The component that a request is for: the first label of the host names it, else the first part of the path, which is
 * taken off. Path and query are cut as text, so that no encoding changes; the body is not touched, so that a GET keeps it.
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

/** The request under another URL, with the prefix that was taken off. */
function passed(request: Request, url: string, prefix: string): Request {
  const copy = new Request(url, request)
  copy.headers.set(prefixHeader, prefix)
  return copy
}
