// Detects whether signed data is CMS or XML, and decodes base64 and PEM.
import { malformed } from './parse-errors.ts'
import type { Format } from './types.ts'

/** Decoded signed data with its format. The bytes are stored unchanged. */
interface Input {
  format: Format
  bytes: Uint8Array<ArrayBuffer>
}

/** Detects the format of the parameter `cms`: XML, PEM, or base64 of DER, XML or PEM. Throws 400 for any other text. */
export function detectFormat(text: string): Input {
  const start = /[^\s\uFEFF]/.exec(text)?.index
  if (start === undefined) throw malformed('Must not be empty')
  if (text[start] === '<') return { format: 'xml', bytes: utf8(text) }
  if (text.startsWith('-----BEGIN ', start)) return { format: 'cms', bytes: utf8(text) }
  const bytes = decodeBase64(text)
  return { format: formatOf(bytes), bytes }
}

const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))

/** Detects the format of bytes by their first characters. */
function formatOf(bytes: Uint8Array): Format {
  if (bytes[0] === 0x30 || isPem(bytes)) return 'cms'
  const start = bytes.findIndex((byte, at) => at > 1_000 || !blank.has(byte))
  if (bytes[start] === 0x3c) return 'xml'
  throw malformed('Must be a CMS or XML signature. The base64 holds neither')
}

/**
 * Bytes that may precede the first character of XML or PEM: white space, byte order marks of UTF-8 and UTF-16, and the NULs of
 * UTF-16.
 */
const blank = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff, 0x00])

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    throw malformed('Must be CMS in base64 or PEM, or XML')
  }
}

const dash = 0x2d

/** Whether the bytes are PEM. White space may precede it. */
function isPem(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte, at) => at > 1_000 || byte > 0x20)
  return start >= 0 && bytes[start] === dash && bytes[start + 1] === dash
}

const labels = ['CMS', 'PKCS7', 'PKCS #7 SIGNED DATA']

/** Decodes PEM (RFC 7468) to DER. Returns other bytes unchanged. */
export function derOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!isPem(bytes)) return bytes
  const text = new TextDecoder().decode(bytes).trim()
  const begin = /^-----BEGIN ([A-Z0-9 #]{1,64})-----/.exec(text)
  if (!begin) throw malformed('The PEM must begin with -----BEGIN CMS----- or -----BEGIN PKCS7-----')
  const [first, label = ''] = begin
  if (!labels.includes(label)) throw malformed(`The PEM must be ${labels.slice(0, 2).join(' or ')}`)
  const last = `-----END ${label}-----`
  if (!text.endsWith(last)) throw malformed(`The PEM must end with ${last}`)
  return pemBody(text.slice(first.length, -last.length))
}

function pemBody(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    throw malformed('The PEM must contain base64')
  }
}
