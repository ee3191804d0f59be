// Reads text character by character, with or without decoding escapes, for the search for card numbers.

/** A character of a text, written literally or as an escape. */
export interface Character {
  code: number
  /** Index after the character or escape. */
  end: number
}

const percent = /%(?:25)*([\da-f]{2})/iy
const slashes = /\\+(?:u([\da-f]{4})|x([\da-f]{2})|([nrtbfv]))?/iy
const entity = /&(?:#(\d{1,9});?|#x([\da-f]{1,8});?|[a-z]{2,10};)/iy

const space = 0x20

/** The literal character at a position. */
export function plainAt(text: string, at: number): Character {
  const code = text.codePointAt(at)!
  return { code, end: at + (code > 0xffff ? 2 : 1) }
}

/** The character at a position, with percent-encoding (also repeated), JSON escapes and HTML entities decoded. */
export function decodedAt(text: string, at: number): Character {
  const first = text[at]
  const escaped =
    first === '%'
      ? percentAt(text, at)
      : first === '\\'
        ? slashAt(text, at)
        : first === '&'
          ? entityAt(text, at)
          : undefined
  return escaped ?? plainAt(text, at)
}

function percentAt(text: string, at: number): Character | undefined {
  const lead = byteAt(text, at)
  if (!lead || lead.code < 0xc2) return lead
  let { code, end } = lead
  const following = code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3
  code &= 0x3f >> following
  for (let i = 0; i < following; i++) {
    const byte = byteAt(text, end)
    if (!byte || byte.code >> 6 !== 2) return { code: space, end: lead.end } // Not UTF-8: counts as a separator.
    code = (code << 6) | (byte.code & 0x3f)
    end = byte.end
  }
  return code > 0x10ffff ? { code: space, end: lead.end } : { code, end }
}

function byteAt(text: string, at: number): Character | undefined {
  percent.lastIndex = at
  const code = percent.exec(text)?.[1]
  if (code === undefined) return undefined
  const byte = Number.parseInt(code, 16)
  return { code: byte, end: percent.lastIndex }
}

/** A run of backslashes is one separator, unless it begins an escape. */
function slashAt(text: string, at: number): Character | undefined {
  slashes.lastIndex = at
  const [, unit, byte, control] = slashes.exec(text) ?? []
  const end = slashes.lastIndex
  if (unit !== undefined) return { code: Number.parseInt(unit, 16), end }
  if (byte === undefined || control !== undefined) return { code: space, end }
  const code = Number.parseInt(byte, 16)
  return { code: code < 0x80 ? code : space, end } // The encoding of a byte that is not ASCII is unknown.
}

function entityAt(text: string, at: number): Character | undefined {
  entity.lastIndex = at
  const found = entity.exec(text)
  if (!found) return undefined
  const [, decimal, hex] = found
  const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : space
  return { code: code <= 0x10ffff ? code : space, end: entity.lastIndex }
}

/** The digit zero of the scripts in which people type numbers: ASCII, Arabic, Persian, fullwidth. */
const zeros = [0x30, 0x660, 0x6f0, 0xff10]

/** Value of a decimal digit; undefined for any other character. */
export function digitOf(code: number): number | undefined {
  for (const zero of zeros) if (code >= zero && code <= zero + 9) return code - zero
  return undefined
}

/** Whether a character is part of a word. Words end a number, all other characters may separate its digits. */
export function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(code))
}
