// What may go wrong with a document.
import { Refusal } from '../../media/refusal.ts'

export const timeout = () => new Refusal(504, 'timeout', 'The document took too long')

export const tooLarge = () => new Refusal(422, 'too_large', 'The document is too large')

export const unprintable = () => new Refusal(502, 'crashed', 'Chromium cannot print the document')

export const crashed = () => new Refusal(502, 'crashed', 'The browser ended over the document, twice')

/** The message says what is wrong with it, and names no address. */
export const linkFailed = (message: string) => new Refusal(502, 'link_failed', message)

export const unavailable = () =>
  new Refusal(503, 'unavailable', 'The browser is not available', { headers: { 'retry-after': '5' } })

export const noSandbox = () =>
  new Refusal(
    503,
    'not_configured',
    'Chromium cannot have its sandbox here, as the system has no user namespaces: allow them, or set CHROMIUM_NO_SANDBOX=true to print without a sandbox',
    { headers: { 'retry-after': '60' } },
  )
