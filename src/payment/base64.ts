/** Base64 or base64url (RFC 4648) in a text, also in several lines, as MIME writes it. */
interface Base64 {
  /** The characters of the standard alphabet, without line ends and padding. */
  digits: string
  /** Where it begins and ends in the text. */
  from: number
  to: number
}

// A line end may be escaped, as in a JSON string. It has no character in common with what it separates.
const lineEnd = String.raw`(?:\r?\n|(?:\\r)?\\n)`
const pattern = new RegExp(String.raw`[\w+/-]+(?:${lineEnd}[\w+/-]+)*`, 'g')
const lineEnds = new RegExp(lineEnd, 'g')

/** What may be base64 in a text, if it has at least so many characters. */
export function* findBase64(text: string, minLength: number): Generator<Base64> {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found.length < minLength) continue
    const digits = found.replace(lineEnds, '').replaceAll('-', '+').replaceAll('_', '/')
    if (digits.length >= minLength) yield { digits, from: index, to: index + found.length }
  }
}

/** Its bytes, a character for each; what is left of a group that was cut is ignored. */
export const decodeBase64 = (digits: string): string => atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
