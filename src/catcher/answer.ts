/** What a sender gets in place of the usual reply. */
export interface CannedAnswer {
  status: number
  headers: Record<string, string>
  body: string | null
  /** Milliseconds. */
  delay: number
}

/** Statuses whose replies have no body (RFC 9110, section 15). */
export const isBodyless = (status: number) => [204, 205, 304].includes(status)

/** Headers of the connection, which the server sets (RFC 9110, section 7.6.1). */
const framing = [
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
 * `Content-Security-Policy` is the catcher's own.
 */
const ofOrigin = [
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

const refused = new Set([...framing, ...ofOrigin])

/** Whether a canned reply may have the header. */
export const isAllowedHeader = (name: string) => !refused.has(name.toLowerCase())

/** The browser gives the content an opaque origin and runs none of its scripts, and takes it for no other type than it says. */
const sandboxed = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' }

/** The answer as a reply, after its delay. One that was set by an earlier version may have any header. */
export async function give({ status, headers, body, delay }: CannedAnswer): Promise<Response> {
  if (delay > 0) await scheduler.wait(delay)
  const allowed = Object.entries(headers).filter(([name]) => isAllowedHeader(name))
  return new Response(isBodyless(status) ? null : body, {
    status,
    headers: { ...Object.fromEntries(allowed), ...sandboxed },
  })
}
