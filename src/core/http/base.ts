// Computes the public URLs of components, behind the gateway's path prefix or on a subdomain.

/**
 * Header with the path prefix that the gateway removed, such as `/feed`, so that the component can build its public
 * URLs. Empty if a subdomain names the component.
 */
export const prefixHeader = 'x-forwarded-prefix'

/**
 * The public URL of a component, without a slash at the end: from `BASE_URL`, by default from the URL of the request.
 */
export function baseUrl(env: { BASE_URL?: string }, component: string, request: Request): string {
  if (env.BASE_URL) return addressOf(env.BASE_URL, component)
  return urlOf(request).origin + prefixOf(request)
}

/**
 * The path prefix that the gateway removed, from its header. A header that is not a path is ignored, since any caller
 * could send it.
 */
export function prefixOf(request: Request): string {
  const prefix = request.headers.get(prefixHeader) ?? ''
  return /^(\/[\w-]+)*$/.test(prefix) ? prefix : ''
}

/**
 * Parses the URL of a request. The runtime does not check the `Host` header: if it is invalid, the host becomes
 * `localhost` instead of an exception.
 */
export const urlOf = ({ url }: Pick<Request, 'url'>) =>
  URL.parse(url) ?? new URL(url.replace(/^([^:/?#]+:\/\/)[^/?#]*/, '$1localhost'))

/**
 * The public URL of a component under `BASE_URL`: `{component}` is replaced by the name; without `{component}` the name
 * is appended to the path.
 */
export const addressOf = (base: string, component: string) =>
  base.includes('{component}')
    ? base.replaceAll('{component}', component).replace(/\/+$/, '')
    : `${base.replace(/\/+$/, '')}/${component}`
