import { malformed } from '../parse-errors.ts'

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

const declaration = /^<\?xml[ \t\r\n][^<>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]+)"|'([\w.-]+)')/

/**
 * The text of an XML document in the encoding that its declaration names (XML 1.0, section 4.3.3), else in that of its byte
 * order mark, else in UTF-8. Refuses bytes that contradict the declaration: no signature covers it, and a conforming parser would
 * read another text.
 */
export function decode(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  const declared = declaredIn(new TextDecoder('latin1').decode(bytes.subarray(0, maxDeclaration)))
  const encoding = marked ?? declared ?? 'utf-8'
  // What declares UTF-16 in single bytes is not in it.
  const text = !marked && encoding.startsWith('utf-16') ? undefined : decodedAs(encoding, bytes)
  if (text === undefined) throw malformed(`The XML is not in the encoding that it declares, or not in UTF-8${remedy}`)
  // Also of a declaration that is longer, or that the mark made readable.
  const named = declaredIn(text)
  if (named !== undefined && !isSame(named, encoding, marked))
    throw malformed(`The XML declares an encoding that its bytes are not in${remedy}`)
  return text
}

const remedy = ': give the original bytes in base64'

const maxDeclaration = 1_000

const declaredIn = (text: string): string | undefined => {
  const [, double, single] = declaration.exec(text) ?? []
  return (double ?? single)?.toLowerCase()
}

const marks: [encoding: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const markedEncoding = (bytes: Uint8Array): string | undefined =>
  marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0]

/** Whether a declared encoding is the one that was read; UTF-16 with a mark is declared without its byte order. */
const isSame = (declared: string, encoding: string, marked: string | undefined) =>
  declared === encoding || (declared === 'utf-16' && marked !== undefined && marked.startsWith('utf-16'))

// Names under which the platform reads a superset that differs from 0x80 to 0x9F (https://encoding.spec.whatwg.org/#names-and-labels).
const supersets = /^(?:windows-125[24]|windows-874)$/

/** Undefined if the bytes are not text in that encoding, or there is none of that name. */
function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
    if (decoder.encoding === 'x-user-defined') return undefined
    if (supersets.test(decoder.encoding) && !/^(?:windows-|cp|x-cp)/.test(encoding)) {
      const limit = /ascii|ansi|us$/.test(encoding) ? 0x100 : 0xa0
      if (bytes.some((byte) => byte >= 0x80 && byte < limit)) return undefined
    }
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Ends of lines as XML has them (section 2.11). */
export const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
