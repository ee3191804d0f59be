// Masks card data and credentials in headers, URLs and bodies before they are logged.
import { isDeeper, parseJson } from '#core/http/json'
import { decodeBase64, findBase64 } from './base64.ts'
import { masked, maskNumbers } from './card-numbers.ts'
import { maskMalformedJson } from './malformed-json.ts'
import { isSecret, isSecretHeader } from './secret-names.ts'

const maxJsonLength = 1_000_000
const maxJsonDepth = 100

/** Maximum length of an encoded card number. The end of a cut text may be a part of one, and is dropped up to this length. */
export const maxEncodedNumberLength = 256

/** Maximum nesting of encodings, such as JSON in a form. Text that is nested deeper is masked as a whole. */
const maxEncodingDepth = 8

/** Masks the value of a header for the log. */
export function maskHeader(name: string, value: string): string {
  if (isSecretHeader(name)) return masked
  return /^[a-z]+:\/\/|\?/i.test(value) ? maskUrl(value) : maskText(value)
}

/** Masks card numbers, other card data and credentials in a URL. */
export function maskUrl(url: string): string {
  const [, origin = '', path = '', query] = /^([a-z]+:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(url) ?? []
  const segments = path.split('/').map((segment) => maskText(segment))
  return maskNumbers(origin) + segments.join('/') + (query ? `?${maskText(query)}` : '')
}

/**
 * Masks card numbers, other card data and credentials in a body: a form, JSON, multipart, markup or any other text. The body may
 * be truncated or malformed. If the text cannot be parsed, more is masked rather than less.
 */
export function maskBody(body: string): string {
  const text = body.replace(/^\ufeff/, '')
  if (!text.includes('\0')) return maskText(text)
  // A NUL between two characters, as in UTF-16 that was decoded as UTF-8, would hide names and numbers.
  const plain = text.replaceAll('\0', '')
  const kept = maskText(plain)
  return kept === plain ? text : kept
}

function maskText(text: string, depth = 0): string {
  if (depth > maxEncodingDepth) return masked
  return maskJson(text, depth) ?? maskParts(text, depth) ?? maskMarkup(text, depth) ?? maskUnstructured(text, depth)
}

/** Parses and re-serializes JSON with masked values; undefined for other text. */
function maskJson(text: string, depth: number): string | undefined {
  if (!/^\s*["{[]/.test(text) || text.length > maxJsonLength) return undefined
  try {
    const value = parseJson(text.trim())
    if (isDeeper(value, maxJsonDepth)) return undefined
    return maskNumbers(JSON.stringify(value, (name, member) => maskMember(name, member, depth)))
  } catch {
    return undefined
  }
}

function maskMember(name: string, value: unknown, depth: number): unknown {
  if (value !== null && value !== '' && isSecret(name)) return masked
  return typeof value === 'string' ? maskText(value, depth + 1) : value
}

/** Masks a multipart body (RFC 7578): the content of each part with a secret name; undefined for other text. */
function maskParts(text: string, depth: number): string | undefined {
  const boundary = /^--[^\r\n]+/m.exec(text)?.[0].trimEnd()
  if (!boundary || !/content-disposition:/i.test(text)) return undefined
  return `\n${text}`
    .split(`\n${boundary}`)
    .map((part) => maskPart(part, depth))
    .join(`\n${boundary}`)
    .slice(1)
}

function maskPart(part: string, depth: number): string {
  const blank = /\r?\n\r?\n/.exec(part)
  if (!blank) return maskUnstructured(part, depth)
  const from = blank.index + blank[0].length
  const to = part.length - (part.endsWith('\r') ? 1 : 0)
  const [head, content, end] = [part.slice(0, from), part.slice(from, to), part.slice(to)]
  const name = /;\s*name="?([^";\r\n]*)/i.exec(head)?.[1] ?? ''
  const isKept = !isSecret(name) || content.trim() === ''
  return maskNumbers(head) + (isKept ? maskText(content, depth + 1) : masked) + end
}

/** Masks HTML or XML: each tag and text separately, and all text of elements with a secret name; undefined for other text. */
function maskMarkup(text: string, depth: number): string | undefined {
  if (!/^\s*<[a-z!?]/i.test(text)) return undefined
  let element = ''
  const maskNext = (piece: string, i: number) => {
    if (i % 2 === 0) return piece.trim() !== '' && isSecret(element) ? masked : maskUnstructured(piece, depth)
    element = /^<([\w:.-]+)/.exec(piece)?.[1] ?? ''
    return maskUnstructured(piece, depth)
  }
  return text
    .split(/(<(?!!)[^<>]*>?)/)
    .map(maskNext)
    .join('')
}

/** Masks a form or any other text: the value of a secret is masked up to the last position where it can end. */
function maskUnstructured(text: string, depth: number): string {
  // Masks numbers before the text is split at `&` and `=`, since a card number or a track may contain these separators of a form.
  const kept = maskMalformedJson(maskNumbers(maskBase64(text, depth)))
    .split('&')
    .map((pair) => maskPair(pair, depth))
    .join('&')
  const plain = withoutEntities(kept)
  if (plain === kept) return kept
  const keptPlain = maskText(plain, depth + 1)
  return keptPlain === plain ? kept : keptPlain
}

/** Length of the shortest JSON with a secret in base64. */
const minJsonBase64Length = 10

/** Masks base64 that decodes to JSON with secrets. Other text of the base64 alphabet may precede the JSON. */
function maskBase64(text: string, depth: number): string {
  let kept = ''
  let end = 0
  for (const { digits, from, to } of findBase64(text, minJsonBase64Length)) {
    if (!hasSecrets(digits, depth)) continue
    kept += text.slice(end, from) + masked
    end = to
  }
  return kept + text.slice(end)
}

// The first three bytes of JSON as base64: `{"`, `[{`, `["`, or a brace or bracket before white space.
const jsonStart = /e(?:yJ|wo|w0|yA|wk)|W(?:3s|yJ|wo|w0|yA|wk)/g

function hasSecrets(digits: string, depth: number): boolean {
  // Base64 has four alignments. The first start of each is enough, since decoding from it includes all later starts of its alignment.
  const starts = [...digits.matchAll(jsonStart)].map(({ index }) => index)
  const firsts = [0, 1, 2, 3].map((offset) => starts.find((start) => start % 4 === offset))
  return firsts.some((start) => {
    if (start === undefined) return false
    const json = decodeBase64(digits.slice(start))
    return !json.includes(masked) && maskText(json, depth + 1).includes(masked)
  })
}

const entities: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', colon: ':', equals: '=' }

/** Decodes HTML entities, numeric ones and those that can hide the name or value of a secret. */
const withoutEntities = (text: string) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (found, decimal?: string, hex?: string, name = '') => {
      const code = Number(decimal ?? `0x${hex ?? 0}`)
      return entities[name] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found)
    },
  )

/** Masks a `name=value` pair of a form. The pair stays unchanged unless something in it is masked. */
function maskPair(pair: string, depth: number): string {
  const pieces = pair.split('=')
  const secret = pieces.findIndex((name, i) => i < pieces.length - 1 && isSecret(decoded(name)))
  const isKept = secret === -1 || pieces.slice(secret + 1).join('') === ''
  return (isKept ? pieces : pieces.slice(0, secret + 1))
    .map((piece) => maskPiece(piece, depth))
    .concat(isKept ? [] : masked)
    .join('=')
}

function maskPiece(piece: string, depth: number): string {
  const text = decoded(piece)
  if (text === piece) return piece
  const kept = maskText(text, depth + 1)
  return kept === text ? piece : new URLSearchParams([['', kept]]).toString().slice(1)
}

const decoded = (piece: string) => (/[%+]/.test(piece) ? new URLSearchParams(`=${piece}`).get('')! : piece)
