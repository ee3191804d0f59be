// Decodes text in XML: resolves references, normalizes line ends and attribute values, and rejects forbidden characters.
import { malformed } from '../parse-errors.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Resolves character references and the five predefined entities. Throws 400 for any other entity: only a document type could
 * define it, and none is allowed.
 */
export function resolveReferences(text: string): string {
  let from = text.indexOf('&')
  if (from < 0) return text
  const parts = [text.slice(0, from)]
  while (from >= 0) {
    const end = text.indexOf(';', from)
    const name = end < 0 ? '' : text.slice(from + 1, Math.min(end, from + 1 + maxNameLength))
    const next = text.indexOf('&', from + 1)
    parts.push(entities[name] ?? character(name), text.slice(end + 1, next < 0 ? text.length : next))
    from = next
  }
  return parts.join('')
}

/** Maximum length of the name of a reference. Longer names are not valid. */
const maxNameLength = 12

function character(name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-fA-F]{1,8})|(\d{1,8}))$/.exec(name) ?? []
  if (hex === undefined && decimal === undefined) {
    throw malformed(
      name
        ? 'The XML has an entity other than amp, lt, gt, quot and apos'
        : 'The XML has an & that does not begin a reference',
    )
  }
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const character = point <= 0x10ffff ? String.fromCodePoint(point) : '\0'
  refuseCharacters(character)
  return character
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0, section 2.2 forbids them.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Throws 400 if a text has characters that XML 1.0 does not allow (section 2.2). */
export function refuseCharacters(text: string): void {
  if (forbidden.test(text) || !text.isWellFormed()) throw malformed('The XML has a character that XML does not allow')
}

/**
 * Normalizes an attribute value (XML 1.0, section 3.3.3): literal white space becomes spaces, but white space from character
 * references does not.
 */
export const attributeValue = (literal: string) =>
  resolveReferences(/[\t\n]/.test(literal) ? literal.replace(/[\t\n]/g, ' ') : literal)

/** Normalizes line ends to line feeds (XML 1.0, section 2.11), since digests are computed from the normalized text. */
export const normalizeLineEnds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
