// Reads an incoming request unchanged: the path is not normalised and the body is not parsed.
import { prefixHeader } from '#core/http/base'
import { readTruncated, type TruncatedBody } from './truncated-body.ts'

/** A received request, unparsed. */
export interface ReceivedRequest extends TruncatedBody {
  method: string
  host: string
  port: number
  path: string
  /** Query of the URL, not decoded, without the question mark. */
  query: string
  /** JSON object of values by lowercase name. */
  headers: string
}

/** Reads a request with its body to the end. */
export async function receiveRequest(request: Request): Promise<ReceivedRequest> {
  const { scheme, authority, path, query } = partsOf(request.url)
  return {
    method: request.method.toLowerCase(),
    ...addressOf(request.headers.get('host') ?? authority, scheme),
    path,
    query,
    headers: JSON.stringify(headersOf(request.headers)),
    ...(await readTruncated(request)),
  }
}

/** Splits an absolute URL without changing its parts: `URL` would normalise the path. */
export function partsOf(url: string) {
  const [, scheme = 'http', authority = '', path = '', query = ''] =
    url.match(/^([^:/?#]+):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/) ?? []
  return { scheme, authority, path: path || '/', query }
}

/** Host and port of a Host header (RFC 9110, section 7.2). A malformed header counts as the host. */
export function addressOf(authority: string, scheme: string): { host: string; port: number } {
  const [, host, digits] = authority.match(/^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/) ?? []
  const port = Number(digits || (scheme === 'https' ? 443 : 80))
  return host === undefined || port > 65_535 ? { host: authority, port: scheme === 'https' ? 443 : 80 } : { host, port }
}

/** All headers that the sender sent: without the one that the gateway adds. The values of a repeated header are joined with commas. */
export function headersOf(headers: Iterable<[string, string]>): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [name, value] of headers) joined.set(name, joined.has(name) ? `${joined.get(name)}, ${value}` : value)
  joined.delete(prefixHeader)
  return Object.fromEntries(joined)
}
