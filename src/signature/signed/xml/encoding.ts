// Decodes the bytes of an XML document to text, in the encoding that the document declares.
import { malformed } from '../parse-errors.ts'

const declaration = /^<\?xml[ \t\r\n][^<>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]+)"|'([\w.-]+)')/

/**
 * Decodes an XML document by the encoding in its declaration (XML 1.0, section 4.3.3), else by its byte order mark, else as UTF-8.
 * Throws 400 if the bytes contradict the declaration. No signature covers the declaration, so an attacker could change it, and a
 * conforming parser would read another text than the verified one.
 */
export function decodeXml(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  const declared = declaredIn(new TextDecoder('latin1').decode(bytes.subarray(0, maxDeclarationBytes)))
  const encoding = marked ?? declared ?? 'utf-8'
  // Without a byte order mark, the declaration was found by reading single bytes. The document is thus not in UTF-16, and a
  // declaration of UTF-16 is wrong.
  const text = !marked && encoding.startsWith('utf-16') ? undefined : decodedAs(encoding, bytes)
  if (text === undefined) throw malformed(`The XML is not in the encoding that it declares, or not in UTF-8${remedy}`)
  // Searches the decoded text for the declaration too: it may be longer than the searched bytes, or in UTF-16.
  const named = declaredIn(text)
  if (named !== undefined && !isSame(named, encoding, marked))
    throw malformed(`The XML declares an encoding that its bytes are not in${remedy}`)
  return text
}

const remedy = ': give the original bytes in base64'

const maxDeclarationBytes = 1_000

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

/**
 * Whether the declared encoding is the decoded one. A document with a byte order mark may declare UTF-16 without its byte order.
 */
const isSame = (declared: string, encoding: string, marked: string | undefined) =>
  declared === encoding || (declared === 'utf-16' && marked !== undefined && marked.startsWith('utf-16'))

// The Windows encodings with which the platform decodes ISO 8859 labels. They differ from ISO 8859 in the bytes 0x80 to 0x9F, so
// these bytes are rejected (https://encoding.spec.whatwg.org/#names-and-labels).
const supersets = /^(?:windows-125[24]|windows-874)$/

/** Decodes bytes; undefined if they are not valid in the encoding, or the encoding is unknown. */
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
