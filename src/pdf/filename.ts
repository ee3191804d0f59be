import { create } from 'content-disposition'
import type * as z from 'zod'

/** What no file's name should have: separators, control characters, and what turns the order of the others about. */
const unfit = /[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/u

const longest = 255

/** A name that ends with `.pdf`; `document.pdf` for an empty one. */
export function filenameOf(given: string, { issues }: z.core.ParsePayload): string {
  const name = given.trim() || 'document'
  const whole = /\.pdf$/i.test(name) ? name : `${name}.pdf`
  if (whole.length <= longest && whole.isWellFormed() && !unfit.test(whole)) return whole
  const message = `Must be at most ${longest} characters long, and have no slash, backslash or control character`
  issues.push({ code: 'custom', input: given, message })
  return ''
}

/** `inline`, with the name in quotes, and as RFC 8187 writes it where these cannot hold it. */
export const disposition = (filename: string) =>
  create(filename, { type: 'inline' }).replace(/; filename=([^";]+)/, '; filename="$1"')
