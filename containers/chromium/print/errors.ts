// The errors of printing a document, each with its HTTP status and code.
import { HttpError } from '../../shared/http-error.ts'

export const timeoutError = () => new HttpError(504, 'timeout', 'The document was not printed in time.')

export const tooLargeError = () => new HttpError(422, 'too_large', 'The PDF is larger than MAX_PDF.')

export const unprintableError = () => new HttpError(502, 'crashed', 'Chromium cannot print the document.')

export const crashedError = () =>
  new HttpError(502, 'crashed', 'The browser crashed twice while printing the document.')

/** The link of the document could not be loaded. The message has the reason, and names no address. */
export const linkFailed = (message: string) => new HttpError(502, 'link_failed', message)

export const unavailableError = () =>
  new HttpError(503, 'unavailable', 'The browser is not available. Retry later.', { headers: { 'retry-after': '5' } })

export const noSandboxError = () =>
  new HttpError(
    503,
    'not_configured',
    'Chromium cannot use its sandbox, because the system has no user namespaces: allow them, or set CHROMIUM_NO_SANDBOX=true to print without a sandbox.',
    { headers: { 'retry-after': '60' } },
  )
