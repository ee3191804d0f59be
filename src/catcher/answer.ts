/** What a sender gets in place of the usual reply. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | null
  /** Milliseconds. */
  delay: number
}

/** Statuses whose replies have no body (RFC 9110, section 15). */
export const isBodyless = (status: number) => [204, 205, 304].includes(status)

const framing = new Set([
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
])

/** Whether a reply may name the header: those that belong to the connection are the server's (RFC 9110, section 7.6.1). */
export const isAllowedHeader = (name: string) => !framing.has(name.toLowerCase())

/** The answer as a reply, after its delay. */
export async function give({ status, headers, body, delay }: Answer): Promise<Response> {
  if (delay > 0) await scheduler.wait(delay)
  return new Response(isBodyless(status) ? null : body, { status, headers })
}
