// Cuts the beginning of an answer, masked, for the record of an attempt.
import { maskBody, maxEncodedNumberLength } from './mask.ts'

/** Length of the text that is masked: more than an excerpt has, since masking works best on whole values. */
const maxMaskedLength = 8_192

/** The first `length` characters of a body, without card data and credentials. NUL, which Postgres cannot store, is shown as a symbol. */
export function maskedExcerpt(body: string, length: number): string {
  const text = body.slice(0, maxMaskedLength)
  // The end of a cut text may be a part of a card number, which masking would not recognise.
  const whole = body.length > maxMaskedLength ? text.slice(0, -maxEncodedNumberLength) : text
  return maskBody(whole).slice(0, length).replaceAll('\0', '\u2400').toWellFormed()
}
