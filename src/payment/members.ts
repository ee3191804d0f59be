import { masked } from './card-numbers.ts'
import { isSecret } from './secrets.ts'

// Hostile text costs these no more than any other: a match begins where none before it can, and repetitions side by side have
// no character in common.

/** A name and its colon, of a member of JSON that may be in a string itself: `"{\"Token\":\"x\"}"`. */
const named = /(?<![\w$.[\]-])([\w$.[\]-]+)[\s"'\\]*:\s*/g

/**
 * A value: a string up to the quote that another member or the end follows; what goes on to the end, since it was cut or has
 * members of its own; what JSON has without quotes, and what is masked already; a line.
 */
const value =
  /(\\*["'])[\s\S]*?(?<!\\)\1(?=\s*(?:[,}\]]|$))|\\*["'{[][\s\S]*|(?:-?\d[\d.eE+-]*|true|false|null|\*+)(?=\s*(?:[,}\]]|$))|[^\r\n&]*/y

const empty = /^(?:null|(\\*["'])\1)?$/

/** Text in which JSON may be that cannot be read, without the values of members that are secrets. */
export function maskMembers(text: string): string {
  const plain = unescaped(text)
  let kept = ''
  let from = 0
  for (const { 0: found, 1: name = '', index } of plain.matchAll(named)) {
    if (index < from || !isSecret(name)) continue
    value.lastIndex = index + found.length
    const [sent = '', quote = ''] = value.exec(plain) ?? []
    kept += plain.slice(from, index + found.length) + (empty.test(sent) ? sent : quote + masked + quote)
    from = index + found.length + sent.length
  }
  return kept + plain.slice(from)
}

/** The text with escapes such as `\u0054` as the characters that they are, so that none hides a name or a number. */
const unescaped = (text: string) =>
  text.replace(/(?<!\\)(\\+)u00([2-7][\da-f])/gi, (_, slashes: string, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /["\\]/.test(character) ? slashes + character : character
  })
