/**
 * Whether a browser requests a page that it will show, rather than data for a script or a part of a page. By `Sec-Fetch-Mode` (Fetch
 * Metadata); for browsers that do not send it, by `Accept`.
 */
export function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers.get('sec-fetch-mode')
  return mode === null ? /\btext\/html\b/i.test(headers.get('accept') ?? '') : mode === 'navigate'
}
