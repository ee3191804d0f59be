// Validates the file name of a PDF, and encodes it for the header Content-Disposition.
import { create } from 'content-disposition'
import type * as z from 'zod'

/** Characters that a file name must not have: path separators, control characters and bidirectional overrides. */
const forbidden = /[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/u

const maxLength = 255

/** Appends `.pdf` if the name lacks it; an empty name becomes `document.pdf`. Adds an issue if the name is not allowed. */
export function filenameOf(input: string, { issues }: z.core.ParsePayload): string {
  const name = input.trim() || 'document'
  const filename = /\.pdf$/i.test(name) ? name : `${name}.pdf`
  if (filename.length <= maxLength && filename.isWellFormed() && !forbidden.test(filename)) return filename
  const message = `Must be at most ${maxLength} characters long, without slashes, backslashes and control characters`
  issues.push({ code: 'custom', input, message })
  return ''
}

/** The `Content-Disposition` header: `inline` with the file name in quotes, and in the encoding of RFC 8187 if it is not ASCII. */
export const disposition = (filename: string) =>
  create(filename, { type: 'inline' }).replace(/; filename=([^";]+)/, '; filename="$1"')
