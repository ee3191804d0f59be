// Finds and decodes base64 in a text, so that card numbers inside it can be masked.

/** Base64 or base64url (RFC 4648) in a text, possibly in several lines as in MIME. */
interface Base64 {
  /** Characters in the standard alphabet, without line ends and padding. */
  digits: string
  /** Start and exclusive end in the text. */
  from: number
  to: number
}

// A line end may be escaped, as in a JSON string. It has no character of the alphabet, so matching takes linear time.
const lineEnd = String.raw`(?:\r?\n|(?:\\r)?\\n)`
const pattern = new RegExp(String.raw`[\w+/-]+(?:${lineEnd}[\w+/-]+)*`, 'g')
const lineEnds = new RegExp(lineEnd, 'g')

/** Yields the runs of a text that may be base64, of at least `minLength` characters. */
export function* findBase64(text: string, minLength: number): Generator<Base64> {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found.length < minLength) continue
    const digits = found.replace(lineEnds, '').replaceAll('-', '+').replaceAll('_', '/')
    if (digits.length >= minLength) yield { digits, from: index, to: index + found.length }
  }
}

/** Decodes base64 to a string with one character per byte. An incomplete last group is ignored. */
export const decodeBase64 = (digits: string): string => atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
