import { prefixHeader } from '#core/http/base'
import { type CutBody, readCut } from './cut-body.ts'

/** A request as it came, before anything is read into it. */
export interface Taken extends CutBody {
  method: string
  host: string
  port: number
  path: string
  /** Without the question mark. */
  query: string
  /** JSON: values by lowercase name. */
  headers: string
}

/** Takes down a request, its body to the end. */
export async function takeRequest(request: Request): Promise<Taken> {
  const { scheme, authority, path, query } = partsOf(request.url)
  return {
    method: request.method.toLowerCase(),
    ...addressOf(request.headers.get('host') ?? authority, scheme),
    path,
    query,
    headers: JSON.stringify(headersOf(request.headers)),
    ...(await readCut(request)),
  }
}

/** The parts of an absolute URL, as they are written: a parsed one has its path made regular. */
export function partsOf(url: string) {
  const [, scheme = 'http', authority = '', path = '', query = ''] =
    url.match(/^([^:/?#]+):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/) ?? []
  return { scheme, authority, path: path || '/', query }
}

/** The two parts of a Host header (RFC 9110, section 7.2); one that is none is taken as a name. */
export function addressOf(authority: string, scheme: string): { host: string; port: number } {
  const [, host, digits] = authority.match(/^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/) ?? []
  const port = Number(digits || (scheme === 'https' ? 443 : 80))
  return host === undefined || port > 65_535 ? { host: authority, port: scheme === 'https' ? 443 : 80 } : { host, port }
}

/** All headers but the one that the gateway adds; one that repeats has its values joined. */
export function headersOf(headers: Iterable<[string, string]>): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [name, value] of headers) joined.set(name, joined.has(name) ? `${joined.get(name)}, ${value}` : value)
  joined.delete(prefixHeader)
  return Object.fromEntries(joined)
}
