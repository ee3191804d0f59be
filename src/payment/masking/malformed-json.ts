import { masked } from './card-numbers.ts'
import { isSecret } from './secret-names.ts'

// Hostile text costs these no more than any other: a match begins where none before it can, and repetitions side by side have
// no character in common.

/** A name and its colon, of a member of JSON that may be in a string itself: `"{\"Token\":\"x\"}"`. */
const named = /(?<![\w$.[\]-])([\w$.[\]-]+)[\s"'\\]*:\s*/g

const opening = /\\*["']/y

/** A value without quotes: what goes on to the end, as it has members of its own; what JSON has, or is masked already; a line. */
const unquoted = /\\*[{[][\s\S]*|(?:-?\d[\d.eE+-]*|true|false|null|\*+)(?=\s*(?:[,}\]]|$))|[^\r\n&]*/y

const empty = /^(?:null|(\\*["'])\1)?$/

/** Text in which JSON may be that cannot be read, without the values of members that are secrets. */
export function maskMembers(text: string): string {
  const plain = unescaped(text)
  let kept = ''
  let from = 0
  for (const { 0: found, 1: name = '', index } of plain.matchAll(named)) {
    if (index < from || !isSecret(name)) continue
    const start = index + found.length
    const { end, quote } = valueAt(plain, start)
    const sent = plain.slice(start, end)
    kept += plain.slice(from, start) + (empty.test(sent) ? sent : quote + masked + quote)
    from = end
  }
  return kept + plain.slice(from)
}

/** Where the value at a position ends, and the quotes that a string is in, if its end is certain. */
function valueAt(text: string, start: number): { end: number; quote: string } {
  opening.lastIndex = start
  const quote = opening.exec(text)?.[0]
  if (quote !== undefined) {
    const end = stringEnd(text, start + quote.length, quote)
    return { end, quote: end < text.length || text.endsWith(quote) ? quote : '' }
  }
  unquoted.lastIndex = start
  return { end: start + (unquoted.exec(text)?.[0].length ?? 0), quote: '' }
}

/**
 * Where a string ends that its opening quote precedes: after the same quote, which another member or the end must follow; else
 * at the end of the text, as the string was cut or is malformed. In JSON within JSON a quote has 1, 3, 7 ... backslashes, and so
 * each backslash of the string's content is written as 2, 4, 8 ...
 */
function stringEnd(text: string, from: number, quote: string): number {
  const unit = quote.length // One more than the quote's backslashes.
  const mark = quote.at(-1)!
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let first = at
    while (first > from && text[first - 1] === '\\') first--
    const backslashes = at - first
    if (backslashes % unit !== unit - 1) return text.length // The quote of a string around this one, which was cut.
    const isEscaped = Math.floor(backslashes / unit) % 2 === 1
    if (!isEscaped) return follows(text, at + 1) ? at + 1 : text.length
  }
  return text.length
}

const following = /\s*(?:[,}\]]|$)/y

/** Whether another member or the end of the text follows. */
function follows(text: string, at: number): boolean {
  following.lastIndex = at
  return following.test(text)
}

/** The text with escapes such as `\u0054` as the characters that they are, so that none hides a name or a number. */
const unescaped = (text: string) =>
  text.replace(/(?<!\\)(\\+)u00([2-7][\da-f])/gi, (_, slashes: string, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    if (character === '\\') return slashes + slashes
    return character === '"' ? slashes + slashes.slice(1) + character : character
  })
