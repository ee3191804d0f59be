// Detects the media type of an uploaded file from its content, and splits its name from its extension.
import { fileTypeFromBuffer } from 'file-type'

/**
 * Number of bytes of a file that the detection reads. Fewer would not show the type of documents that are ZIP archives, such as
 * docx.
 */
export const headSize = 64 * 1024

interface FileType {
  mimetype: string
  /** Extension in lower-case letters and digits, or empty. */
  extension: string
  /** Character encoding of a text; null if it is not known, and for other files. */
  charset: string | null
}

/**
 * Detects the type of a file from its first bytes; the extension is that of its name, if there is one. The type that the client
 * declared only selects among text types, and a file is HTML only if the client declared it.
 */
export async function sniffType(head: Uint8Array, name: string, declaredType: string): Promise<FileType> {
  const kind = (await kindOf(head, declaredTextType(declaredType))) ?? unknown
  return { ...kind, extension: splitName(name).extension || kind.extension }
}

/** Detects the type from magic bytes; undefined if the file begins with none that are known. */
export async function sniffMagicBytes(head: Uint8Array): Promise<FileType | undefined> {
  const found = await fileTypeFromBuffer(head)
  if (!found) return undefined
  return { mimetype: found.mime.replace(/;.*/s, '').toLowerCase(), extension: plainExtension(found.ext), charset: null }
}

/** Splits a file name into the name without path and last extension (at most 255 characters) and the extension in lower case. */
export function splitName(filename: string): { name: string; extension: string } {
  const base = filename.toWellFormed().replace(invisible, '').split(/[/\\]/).at(-1)!.trim()
  const [, name = base, extension = ''] = base.match(/^(.*[^.].*)\.([a-z0-9]{1,16})$/i) ?? []
  return { name: /[^.\s]/.test(name) ? shortened(name) : 'file', extension: extension.toLowerCase() }
}

/** Whether the first bytes of a file are text. */
export const isText = (head: Uint8Array): boolean => head.length > 0 && textIn(head) !== undefined

async function kindOf(head: Uint8Array, declaredType: string | undefined): Promise<FileType | undefined> {
  const sniffed = await sniffMagicBytes(head)
  const decoded = head.length > 0 ? textIn(head) : undefined
  if (!decoded) return sniffed ?? (declaredType && mayBeLegacyText(head) ? ofText(declaredType, null) : undefined)
  if (sniffed && textualFormats.has(sniffed.mimetype)) return sniffed
  return ofText(declaredType ?? textTypeIn(decoded.text), decoded.charset)
}

const unknown: FileType = { mimetype: 'application/octet-stream', extension: '', charset: null }

/**
 * Control characters, line separators, and bidirectional overrides, which can make a file called `exe.jpg` look like `gpj.exe`.
 * They are removed from names.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** Cuts a name to 255 UTF-16 units. A surrogate pair at the end is removed as a whole, since half of it is not valid Unicode. */
const shortened = (name: string) => name.slice(0, 255).replace(/[\ud800-\udbff]$/, '')

const plainExtension = (extension: string) => extension.match(/[a-z0-9]{1,16}$/i)?.[0].toLowerCase() ?? ''

/**
 * Types whose magic bytes are text, so that the whole file may be text. Magic bytes of other types that consist of a few letters
 * would match ordinary words at the beginning of a text.
 */
const textualFormats = new Set([
  ...['application/pdf', 'application/rtf', 'application/postscript', 'application/eps'],
  ...['text/calendar', 'text/vcard', 'text/vtt'],
])

/**
 * Decodes the first bytes as UTF-8, or as UTF-16 after a byte order mark; undefined if they are not text. The excerpt may end in
 * the middle of a character.
 */
function textIn(head: Uint8Array): { text: string; charset: string } | undefined {
  const mark = `${head[0]} ${head[1]}`
  const charset = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(head, { stream: true })
    return control.test(text) ? undefined : { text, charset }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text files contain none of them
const control = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

/**
 * Whether a file may be text in a legacy encoding such as Windows-1252. Such an encoding cannot be recognised; the only sign is
 * that no control characters occur.
 */
const mayBeLegacyText = (head: Uint8Array) => !control.test(new TextDecoder('latin1').decode(head))

/** Returns the type that the client declared, without its parameters, if it is a text type (RFC 6838), else undefined. */
function declaredTextType(declaredType: string): string | undefined {
  const type = declaredType.replace(/;.*/s, '').trim().toLowerCase()
  return /^[a-z]+\/[a-z0-9][\w.+-]{0,126}$/.test(type) && textual.test(type) ? type : undefined
}

const textual =
  /^text\/|[/+](json|xml|yaml|toml)$|^application\/(x-)?(javascript|ecmascript|typescript|yaml|toml|sql|graphql|sh|httpd-php|tex|latex|ndjson|jsonl|subrip|mpegurl|vnd\.apple\.mpegurl)$/

/**
 * Recognises SVG and XML. HTML is not recognised, since browsers run its scripts: a file is HTML only if the client declares it.
 */
function textTypeIn(text: string): string {
  const start = text.slice(0, 4096).replace(/^\ufeff?(\s|<\?.*?\?>|<!--.*?-->|<!doctype svg[^[>]*>)*/is, '')
  if (/^<svg[\s/>]/i.test(start)) return 'image/svg+xml'
  return /^\ufeff?\s*<\?xml\s/.test(text) ? 'application/xml' : 'text/plain'
}

/** Describes a text file without an extension, so that the extension of its name is kept. */
const ofText = (mimetype: string, charset: string | null): FileType => ({ mimetype, extension: '', charset })
