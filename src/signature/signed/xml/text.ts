import { malformed } from '../malformed.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with its references resolved: to characters and to the five entities that XML itself has; there are no others. */
export function resolved(text: string): string {
  let from = text.indexOf('&')
  if (from < 0) return text
  const parts = [text.slice(0, from)]
  while (from >= 0) {
    const end = text.indexOf(';', from)
    const name = end < 0 ? '' : text.slice(from + 1, Math.min(end, from + 1 + longestName))
    const next = text.indexOf('&', from + 1)
    parts.push(entities[name] ?? character(name), text.slice(end + 1, next < 0 ? text.length : next))
    from = next
  }
  return parts.join('')
}

/** No reference is longer; what is, is none. */
const longestName = 12

function character(name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-fA-F]{1,8})|(\d{1,8}))$/.exec(name) ?? []
  if (hex === undefined && decimal === undefined) {
    throw malformed(
      name ? 'The XML has an entity that is not one of its own five' : 'The XML has an & that begins nothing',
    )
  }
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const character = point <= 0x10ffff ? String.fromCodePoint(point) : '\0'
  refuseCharacters(character)
  return character
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML 1.0, section 2.2 leaves out.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Refuses what is no character of XML 1.0 (section 2.2). */
export function refuseCharacters(text: string): void {
  if (forbidden.test(text) || !text.isWellFormed()) throw malformed('The XML has a character that XML does not allow')
}

/** What a literal attribute value stands for (section 3.3.3): white space is spaces, but not where it is a reference. */
export const attributeValue = (literal: string) =>
  resolved(/[\t\n]/.test(literal) ? literal.replace(/[\t\n]/g, ' ') : literal)

const declaration = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/

/** The text of an XML document: UTF-8, UTF-16 with its mark, or what its declaration says. */
export function decode(bytes: Uint8Array): string {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : ''
  const text = decodedAs(mark || 'utf-8', bytes)
  if (text !== undefined) return text
  const [, encoding = ''] = declaration.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 300))) ?? []
  const declared = decodedAs(encoding, bytes)
  if (declared === undefined) throw malformed('The XML is neither in UTF-8 nor in the encoding that it declares')
  return declared
}

/** Undefined when the bytes are not text in that encoding, or there is none of that name. */
function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding || 'none', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Ends of lines as XML has them (section 2.11). */
export const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
