/** Where the gateway says what it took off the path; empty under a subdomain of the component's own. */
export const prefixHeader = 'x-forwarded-prefix'

/**
 * The address of a component, without a slash at its end. `BASE_URL` is the address of all of them: `{component}` in it
 * stands for the name, which is appended where it does not occur. Without it: where this request went.
 */
export function baseUrl(env: { BASE_URL?: string }, component: string, request: Request): string {
  if (env.BASE_URL) return addressOf(env.BASE_URL, component)
  return urlOf(request).origin + prefixOf(request)
}

/** What the gateway took off the path of a request. */
export function prefixOf(request: Request): string {
  const prefix = request.headers.get(prefixHeader) ?? ''
  return /^(\/[\w-]+)*$/.test(prefix) ? prefix : ''
}

/** A request's URL; under `localhost` where its Host header is no host, which the runtime passes on as it came. */
export const urlOf = ({ url }: Pick<Request, 'url'>) =>
  URL.parse(url) ?? new URL(url.replace(/^([^:/?#]+:\/\/)[^/?#]*/, '$1localhost'))

/** A component's address under a `BASE_URL`. */
export const addressOf = (base: string, component: string) =>
  base.includes('{component}')
    ? base.replaceAll('{component}', component).replace(/\/+$/, '')
    : `${base.replace(/\/+$/, '')}/${component}`
