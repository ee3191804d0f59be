import type { Env } from '#gateway/env'

const json = { 'content-type': 'application/json' }

const documentOf = (name: string) => ({
  openapi: '3.1.0',
  info: { description: `Is the <${name}> v1.0. Does more.` },
  servers: [{ url: 'http://elsewhere' }],
  tags: [{ name }],
  security: [{ bearer: [] }],
  paths: {
    '/thing': {
      get: { operationId: `${name}_get_thing`, summary: 'Read', security: [], parameters: [], responses: { 200: {} } },
    },
  },
  components: { schemas: { Refusal: {}, [`${name}Thing`]: {} }, securitySchemes: { bearer: {} } },
})

/** A component that tells what reached it. */
export const echo = (name: string) => ({
  swept: 0,
  async fetch(input: RequestInfo | URL) {
    const request = input as Request
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/_health')) return new Response('{"status":true}', { headers: json })
    if (pathname.endsWith('/_openapi.json')) return new Response(JSON.stringify(documentOf(name)), { headers: json })
    const { method, url, headers } = request
    return Response.json({ name, method, url, headers: Object.fromEntries(headers), body: await request.text() })
  },
  async sweep() {
    this.swept++
  },
})

export const broken = {
  fetch: () => Promise.reject(new Error('a bug')),
  sweep: () => Promise.reject(new Error('a bug')),
}

/** Never answers. */
export const silent = { ...broken, fetch: () => new Promise<never>(() => undefined) }

/** The bindings of a gateway, from components by name. */
export const bind = (services: Record<string, object>, variables: Env = {}): Env => ({
  ...variables,
  ...Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name.toUpperCase().replaceAll('-', '_'), service]),
  ),
})
