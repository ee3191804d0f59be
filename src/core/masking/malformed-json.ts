import { masked } from './card-numbers.ts'
import { isSecret } from './secret-names.ts'

// Masks secrets in text that may contain JSON and that no JSON parser accepts, such as a truncated body.
//
// The regular expressions take linear time on any input: matches cannot start inside each other, and adjacent repetitions have
// no character in common.

/** Name and colon of a JSON member. The JSON may be inside a string, with escaped quotes: `"{\"Token\":\"x\"}"`. */
const memberName = /(?<![\w$.[\]-])([\w$.[\]-]+)[\s"'\\]*:\s*/g

const openingQuote = /\\*["']/y

/**
 * A value without quotes. An object or array extends to the end of the text, since its end is unknown; a JSON literal or a masked
 * value ends where the next member begins; any other text ends with its line.
 */
const unquotedValue = /\\*[{[][\s\S]*|(?:-?\d[\d.eE+-]*|true|false|null|\*+)(?=\s*(?:[,}\]]|$))|[^\r\n&]*/y

const emptyValue = /^(?:null|(\\*["'])\1)?$/

/** Masks the values of members with secret names in malformed or truncated JSON. */
export function maskMalformedJson(text: string): string {
  const plain = unescaped(text)
  let kept = ''
  let from = 0
  for (const { 0: found, 1: name = '', index } of plain.matchAll(memberName)) {
    if (index < from || !isSecret(name)) continue
    const start = index + found.length
    const { end, quote } = valueAt(plain, start)
    const value = plain.slice(start, end)
    kept += plain.slice(from, start) + (emptyValue.test(value) ? value : quote + masked + quote)
    from = end
  }
  return kept + plain.slice(from)
}

/** End of the value at a position. `quote` is the quote of a string with a certain end, else empty. */
function valueAt(text: string, start: number): { end: number; quote: string } {
  openingQuote.lastIndex = start
  const quote = openingQuote.exec(text)?.[0]
  if (quote !== undefined) {
    const end = stringEnd(text, start + quote.length, quote)
    return { end, quote: end < text.length || text.endsWith(quote) ? quote : '' }
  }
  unquotedValue.lastIndex = start
  return { end: start + (unquotedValue.exec(text)?.[0].length ?? 0), quote: '' }
}

/**
 * End of the string that starts at `from`, after its opening quote. The string ends after the same quote, if another member or the
 * end of the text follows; otherwise it is truncated or malformed and extends to the end of the text. In JSON within JSON, a quote
 * has 1, 3, 7 ... backslashes, and so each backslash of the content is written as 2, 4, 8 ...
 */
function stringEnd(text: string, from: number, quote: string): number {
  const unit = quote.length // One more than the number of backslashes of the quote.
  const mark = quote.at(-1)!
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let first = at
    while (first > from && text[first - 1] === '\\') first--
    const backslashes = at - first
    if (backslashes % unit !== unit - 1) return text.length // The quote of an outer string: this one was truncated.
    const isEscaped = Math.floor(backslashes / unit) % 2 === 1
    if (!isEscaped) return isMemberEnd(text, at + 1) ? at + 1 : text.length
  }
  return text.length
}

const memberEnd = /\s*(?:[,}\]]|$)/y

/** Whether a separator, a closing bracket or the end of the text follows. */
function isMemberEnd(text: string, at: number): boolean {
  memberEnd.lastIndex = at
  return memberEnd.test(text)
}

/** Decodes escapes such as `\u0054`, which would hide a name or a number. */
const unescaped = (text: string) =>
  text.replace(/(?<!\\)(\\+)u00([2-7][\da-f])/gi, (_, slashes: string, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    if (character === '\\') return slashes + slashes
    return character === '"' ? slashes + slashes.slice(1) + character : character
  })
