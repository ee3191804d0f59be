import type { Widget } from './widget.ts'

/** What stands in all headers of the payer's pages. `nonce` marks their own script and style. */
export const headersOf = (nonce: string, language: string, widget?: Widget): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': contentPolicy(nonce, widget),
  'permissions-policy': permissions(widget),
  // For a year. Browsers ignore it over http.
  'strict-transport-security': 'max-age=31536000',
  // The address contains the payer's account: the processor gets the origin alone.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  vary: 'accept-language',
})

/**
 * CSP level 3. The widget's origin alone may add a script, which sizes its frame in a style attribute; what the bank shows
 * for 3-D Secure is framed within the processor's frame, and so by the processor's own policy.
 */
function contentPolicy(nonce: string, widget?: Widget): string {
  const origin = widget?.url?.origin
  const sources = [...(origin ? [origin] : []), ...(widget?.hosts ?? [])].join(' ')
  return [
    "default-src 'none'",
    widget && `script-src 'nonce-${nonce}' ${origin ?? ''}`,
    `style-src 'nonce-${nonce}' ${origin ?? ''}`,
    widget && "style-src-attr 'unsafe-inline'",
    `img-src data: ${sources}`,
    sources && `frame-src ${sources}`,
    // The stand-in of a local start tells this component what a processor would.
    widget && `connect-src ${sources || "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
    .flatMap((directive) => (directive ? directive.trim() : []))
    .join('; ')
}

/** Wallets in the processor's frame ask for `payment`; nothing else is needed. */
function permissions(widget?: Widget): string {
  const payment = widget?.url ? `(self "${widget.url.origin}")` : '()'
  return `camera=(), display-capture=(), geolocation=(), microphone=(), payment=${payment}, usb=()`
}
