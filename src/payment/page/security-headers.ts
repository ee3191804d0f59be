// HTTP security headers of the pages for payers: Content Security Policy, Permissions-Policy and others.
import type { Widget } from './widget.ts'

/** Headers of all pages for the payer. `nonce` allows the inline scripts and styles of the page. */
export const headersOf = (nonce: string, language: string, widget?: Widget): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': contentPolicy(nonce, widget),
  'permissions-policy': permissions(widget),
  // For one year. Browsers ignore this header over http.
  'strict-transport-security': 'max-age=31536000',
  // The URL contains the payer's account, so the processor gets only the origin.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  vary: 'accept-language',
})

/**
 * Content Security Policy level 3. Only the widget's origin may load scripts; the widget sizes its frame with a style attribute.
 * The bank's 3-D Secure page is inside the processor's frame, so the processor's policy applies to it.
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
    // On a local start, the simulated widget sends notifications to this component.
    widget && `connect-src ${sources || "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
    .flatMap((directive) => (directive ? directive.trim() : []))
    .join('; ')
}

/** Permissions-Policy: wallets in the processor's frame need `payment`, and nothing else is needed. */
function permissions(widget?: Widget): string {
  const payment = widget?.url ? `(self "${widget.url.origin}")` : '()'
  return `camera=(), display-capture=(), geolocation=(), microphone=(), payment=${payment}, usb=()`
}
