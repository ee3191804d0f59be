import { isDeeper, parseJson } from '#core/http/json'
import { decodeBase64, findBase64 } from './base64.ts'
import { masked, maskNumbers } from './card-numbers.ts'
import { maskMembers } from './malformed-json.ts'
import { isSecret, isSecretHeader } from './secret-names.ts'

const longestJson = 1_000_000
const deepestJson = 100

/** The most characters that a card number is encoded in: at the end of a text that was cut may be a part of one. */
export const longestNumber = 256

/** How many texts may be encoded in each other, such as JSON in a form. What is further in is masked. */
const deepest = 8

/** A header's value as a log may have it. */
export function maskHeader(name: string, value: string): string {
  if (isSecretHeader(name)) return masked
  return /^[a-z]+:\/\/|\?/i.test(value) ? maskUrl(value) : maskText(value)
}

/** A URL as a log may have it: without card numbers, card data and credentials. */
export function maskUrl(url: string): string {
  const [, origin = '', path = '', query] = /^([a-z]+:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(url) ?? []
  const segments = path.split('/').map((segment) => maskText(segment))
  return maskNumbers(origin) + segments.join('/') + (query ? `?${maskText(query)}` : '')
}

/**
 * A body as a log may have it, whether it is a form, JSON, multipart or anything else. It may be cut anywhere, and need not
 * be what it looks like: of what cannot be read rather too much is masked.
 */
export function maskBody(body: string): string {
  const text = body.replace(/^\ufeff/, '')
  if (!text.includes('\0')) return maskText(text)
  // Of UTF-16, where it hides names and numbers.
  const plain = text.replaceAll('\0', '')
  const kept = maskText(plain)
  return kept === plain ? text : kept
}

function maskText(text: string, depth = 0): string {
  if (depth > deepest) return masked
  return maskJson(text, depth) ?? maskParts(text, depth) ?? maskMarkup(text, depth) ?? maskLoose(text, depth)
}

/** JSON written anew; nothing where it is none. */
function maskJson(text: string, depth: number): string | undefined {
  if (!/^\s*["{[]/.test(text) || text.length > longestJson) return undefined
  try {
    const value = parseJson(text.trim())
    if (isDeeper(value, deepestJson)) return undefined
    return maskNumbers(JSON.stringify(value, (name, member) => maskMember(name, member, depth)))
  } catch {
    return undefined
  }
}

function maskMember(name: string, value: unknown, depth: number): unknown {
  if (value !== null && value !== '' && isSecret(name)) return masked
  return typeof value === 'string' ? maskText(value, depth + 1) : value
}

/** A multipart body (RFC 7578), each part without its content where its name says so; nothing where it is none. */
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
  if (!blank) return maskLoose(part, depth)
  const from = blank.index + blank[0].length
  const to = part.length - (part.endsWith('\r') ? 1 : 0)
  const [head, content, end] = [part.slice(0, from), part.slice(from, to), part.slice(to)]
  const name = /;\s*name="?([^";\r\n]*)/i.exec(head)?.[1] ?? ''
  const isKept = !isSecret(name) || content.trim() === ''
  return maskNumbers(head) + (isKept ? maskText(content, depth + 1) : masked) + end
}

/** HTML or XML, each tag and text by itself, without the texts of elements that are secrets; nothing where it is none. */
function maskMarkup(text: string, depth: number): string | undefined {
  if (!/^\s*<[a-z!?]/i.test(text)) return undefined
  let element = ''
  const maskNext = (piece: string, i: number) => {
    if (i % 2 === 0) return piece.trim() !== '' && isSecret(element) ? masked : maskLoose(piece, depth)
    element = /^<([\w:.-]+)/.exec(piece)?.[1] ?? ''
    return maskLoose(piece, depth)
  }
  return text
    .split(/(<(?!!)[^<>]*>?)/)
    .map(maskNext)
    .join('')
}

/** A form, and any other text: what seems to be a secret's value is masked up to where it must have ended. */
function maskLoose(text: string, depth: number): string {
  // Before the text is split: the separators of a form may stand within a card number or a track.
  const kept = maskMembers(maskNumbers(maskBase64(text, depth)))
    .split('&')
    .map((pair) => maskPair(pair, depth))
    .join('&')
  const plain = withoutEntities(kept)
  if (plain === kept) return kept
  const keptPlain = maskText(plain, depth + 1)
  return keptPlain === plain ? kept : keptPlain
}

/** Characters of the base64 of the shortest JSON with a secret. */
const minJsonBase64 = 10

/** Text without the JSON in base64 that has secrets. Other text of the alphabet may stand before it. */
function maskBase64(text: string, depth: number): string {
  let kept = ''
  let end = 0
  for (const { digits, from, to } of findBase64(text, minJsonBase64)) {
    if (!hasSecrets(digits, depth)) continue
    kept += text.slice(end, from) + masked
    end = to
  }
  return kept + text.slice(end)
}

// The first three bytes of JSON as base64: `{"`, `[{`, `["`, or a brace or bracket before white space.
const jsonStart = /e(?:yJ|wo|w0|yA|wk)|W(?:3s|yJ|wo|w0|yA|wk)/g

function hasSecrets(digits: string, depth: number): boolean {
  // The first ones: what stands behind them is decoded with them.
  const starts = [...digits.matchAll(jsonStart)].map(({ index }) => index)
  const firsts = [0, 1, 2, 3].map((offset) => starts.find((start) => start % 4 === offset))
  return firsts.some((start) => {
    if (start === undefined) return false
    const json = decodeBase64(digits.slice(start))
    return !json.includes(masked) && maskText(json, depth + 1).includes(masked)
  })
}

const entities: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', colon: ':', equals: '=' }

/** HTML as the text that a browser shows, as far as names and values of members are concerned. */
const withoutEntities = (text: string) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (found, decimal?: string, hex?: string, name = '') => {
      const code = Number(decimal ?? `0x${hex ?? 0}`)
      return entities[name] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found)
    },
  )

/** A pair of a form, as it was sent unless something in it is masked. */
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
