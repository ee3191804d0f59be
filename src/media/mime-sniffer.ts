import { fileTypeFromBuffer } from 'file-type'

/** How many bytes of a file's beginning tell what it is; a document of several files in one needs that many. */
export const headSize = 64 * 1024

interface Kind {
  mimetype: string
  /** Lower-case letters and digits, or empty. */
  extension: string
  /** Of a text whose encoding is known. */
  charset: string | null
}

/**
 * What a file is, by its first bytes, or by the name where that has an extension. What the client `said` decides only
 * between kinds of text, and nothing is HTML that was not said to be.
 */
export async function sniffType(head: Uint8Array, name: string, said: string): Promise<Kind> {
  const kind = (await kindOf(head, textType(said))) ?? unknown
  return { ...kind, extension: splitName(name).extension || kind.extension }
}

/** What the bytes' marks say, if anything. */
export async function sniffMagicBytes(head: Uint8Array): Promise<Kind | undefined> {
  const found = await fileTypeFromBuffer(head)
  if (!found) return undefined
  return { mimetype: found.mime.replace(/;.*/s, '').toLowerCase(), extension: plainExtension(found.ext), charset: null }
}

/** A file's name without its path and last extension, at most 255 characters; the extension in lower case, or empty. */
export function splitName(filename: string): { name: string; extension: string } {
  const base = filename.toWellFormed().replace(unseen, '').split(/[/\\]/).at(-1)!.trim()
  const [, name = base, extension = ''] = base.match(/^(.*[^.].*)\.([a-z0-9]{1,16})$/i) ?? []
  return { name: /[^.\s]/.test(name) ? shortened(name) : 'file', extension: extension.toLowerCase() }
}

/** Whether the beginning of a file reads as text. */
export const isText = (head: Uint8Array): boolean => head.length > 0 && writtenIn(head) !== undefined

async function kindOf(head: Uint8Array, said: string | undefined): Promise<Kind | undefined> {
  const marked = await sniffMagicBytes(head)
  const written = head.length > 0 ? writtenIn(head) : undefined
  if (!written) return marked ?? (said && looksWritten(head) ? ofText(said, null) : undefined)
  if (marked && writtenAsText.has(marked.mimetype)) return marked
  return ofText(said ?? markedText(written.text), written.charset)
}

const unknown: Kind = { mimetype: 'application/octet-stream', extension: '', charset: null }

/** Control characters, ends of lines, and what turns the direction of writing so that `exe.jpg` looks like `gpj.exe`. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** No half of a pair is left at the end. */
const shortened = (name: string) => name.slice(0, 255).replace(/[\ud800-\udbff]$/, '')

const plainExtension = (extension: string) => extension.match(/[a-z0-9]{1,16}$/i)?.[0].toLowerCase() ?? ''

/** Kinds that may be written in nothing but letters and yet have a mark; others of two letters are words. */
const writtenAsText = new Set([
  ...['application/pdf', 'application/rtf', 'application/postscript', 'application/eps'],
  ...['text/calendar', 'text/vcard', 'text/vtt'],
])

/** The head as text: without control characters, in UTF-8 or with a mark of UTF-16, perhaps cut within a character. */
function writtenIn(head: Uint8Array): { text: string; charset: string } | undefined {
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text has
const control = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

/** Text in an encoding of before Unicode has no mark at all, only no control characters. */
const looksWritten = (head: Uint8Array) => !control.test(new TextDecoder('latin1').decode(head))

/** The client's word where it is a media type (RFC 6838) of text, without its parameters. */
function textType(said: string): string | undefined {
  const type = said.replace(/;.*/s, '').trim().toLowerCase()
  return /^[a-z]+\/[a-z0-9][\w.+-]{0,126}$/.test(type) && textual.test(type) ? type : undefined
}

const textual =
  /^text\/|[/+](json|xml|yaml|toml)$|^application\/(x-)?(javascript|ecmascript|typescript|yaml|toml|sql|graphql|sh|httpd-php|tex|latex|ndjson|jsonl|subrip|mpegurl|vnd\.apple\.mpegurl)$/

/** XML and SVG say what they are. HTML does too, but a browser would run what nobody said was for it. */
function markedText(text: string): string {
  const start = text.slice(0, 4096).replace(/^\ufeff?(\s|<\?.*?\?>|<!--.*?-->|<!doctype svg[^[>]*>)*/is, '')
  if (/^<svg[\s/>]/i.test(start)) return 'image/svg+xml'
  return /^\ufeff?\s*<\?xml\s/.test(text) ? 'application/xml' : 'text/plain'
}

/** A text keeps the name that it has. */
const ofText = (mimetype: string, charset: string | null): Kind => ({ mimetype, extension: '', charset })
