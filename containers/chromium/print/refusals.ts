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
