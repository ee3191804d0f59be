// What may go wrong with a document.
import { HttpError } from '../../shared/http-error.ts'

export const timeout = () => new HttpError(504, 'timeout', 'The document took too long')

export const tooLarge = () => new HttpError(422, 'too_large', 'The document is too large')

export const unprintable = () => new HttpError(502, 'crashed', 'Chromium cannot print the document')

export const crashed = () => new HttpError(502, 'crashed', 'The browser ended over the document, twice')

/** The message says what is wrong with it, and names no address. */
export const linkFailed = (message: string) => new HttpError(502, 'link_failed', message)

export const unavailable = () =>
  new HttpError(503, 'unavailable', 'The browser is not available', { headers: { 'retry-after': '5' } })

export const noSandbox = () =>
  new HttpError(
    503,
    'not_configured',
    'Chromium cannot have its sandbox here, as the system has no user namespaces: allow them, or set CHROMIUM_NO_SANDBOX=true to print without a sandbox',
    { headers: { 'retry-after': '60' } },
  )
