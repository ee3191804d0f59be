// Formats the names of certificate subjects and issuers as text, for replies.
import { malformed } from '../parse-errors.ts'
import { type Element, elementsOf } from './ber.ts'
import { hexOf, oidOf } from './values.ts'

const maxNameBytes = 10_000

/** Formats a distinguished name as text (RFC 4514), with the last part first, as in `CN=Ann,O=Acme,C=KZ`. */
export function nameOf(name: Element): string {
  if (name.raw.length > maxNameBytes) throw malformed(`The ASN.1 has a name of more than ${maxNameBytes} bytes`)
  return elementsOf(name)
    .map((rdn) => elementsOf(rdn).map(attribute).join('+'))
    .reverse()
    .join(',')
}

/** Short names of attribute types, such as CN, from RFC 4514, OpenSSL and RFC 2985. Other types are shown by their OID. */
const shortNames: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

function attribute(element: Element): string {
  const [type, value] = elementsOf(element)
  if (!type || !value) return ''
  const oid = oidOf(type)
  const text = textOf(value)
  return `${shortNames[oid] ?? oid}=${text === undefined ? `#${hexOf(value.raw)}` : escaped(text)}`
}

/** Encodings of the ASN.1 string types, by tag: UTF8String, PrintableString, T61String (as Latin 1), IA5String and so on. */
const encodings: Record<number, string> = {
  12: 'utf-8',
  18: 'utf-8',
  19: 'utf-8',
  20: 'latin1',
  22: 'utf-8',
  26: 'utf-8',
  30: 'utf-16be',
}

const universalString = 28

function textOf({ tag, content, isConstructed }: Element): string | undefined {
  if (isConstructed) return undefined
  if (tag === universalString) return utf32(content)
  const encoding = encodings[tag]
  return encoding && new TextDecoder(encoding).decode(content)
}

function utf32(content: Uint8Array): string {
  const view = new DataView(content.buffer, content.byteOffset, content.length & ~3)
  const points = Array.from({ length: view.byteLength / 4 }, (_, i) => view.getUint32(4 * i))
  return String.fromCodePoint(...points.map((point) => (point > 0x10ffff ? 0xfffd : point))).toWellFormed()
}

/** Escapes a value (RFC 4514, section 2.4). Also escapes NUL, which Postgres cannot store in a text. */
const escaped = (text: string) =>
  text
    .replaceAll('\0', '\\00')
    .replace(/[\\"+,;<>]/g, '\\$&')
    .replace(/^[ #]| $/g, '\\$&')
