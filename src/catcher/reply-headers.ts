// Headers that replies of stubs may have, and those with which browsers show the replies sandboxed.

/** Statuses whose replies have no body (RFC 9110, section 15). */
export const isBodyless = (status: number) => [204, 205, 304].includes(status)

/** Headers of the connection, which the server sets (RFC 9110, section 7.6.1). */
export const connectionHeaders = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Headers that act on the whole origin or outlast the reply: the console and the components may have the same origin.
 * The catcher sets `Content-Security-Policy` itself.
 */
const originHeaders = [
  'accept-ch',
  'alt-svc',
  'attribution-reporting-register-source',
  'attribution-reporting-register-trigger',
  'clear-site-data',
  'content-security-policy',
  'critical-ch',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'strict-transport-security',
  'use-as-dictionary',
]

const refusedHeaders = new Set([...connectionHeaders, ...originHeaders])

/** Whether a canned reply may have the header. */
export const isAllowedHeader = (name: string) => !refusedHeaders.has(name.toLowerCase())

/**
 * With these headers a browser gives a canned reply an opaque origin, runs no scripts in it, and does not guess another type: anyone
 * who may set replies could otherwise attack the console, which may have the same origin.
 */
const sandboxHeaders = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' }

/** Headers that a reply may have, with those of the sandbox. Drops headers that an earlier version of the catcher has stored. */
export const sandboxed = (headers: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => isAllowedHeader(name))),
  ...sandboxHeaders,
})
