const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as text for a log: UTF-16 by its byte order mark, else UTF-8, each byte that is not valid escaped: `\\xE0`. */
export function escapedText(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be'
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return strict.decode(bytes)
  } catch {
    return escapeInvalid(bytes)
  }
}

function escapeInvalid(bytes: Uint8Array): string {
  let text = ''
  let valid = 0
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) {
      text += strict.decode(bytes.subarray(valid, at)) + escapeByte(bytes[at]!)
      valid = at + 1
    }
    at += length || 1
  }
  return text + strict.decode(bytes.subarray(valid))
}

const escapeByte = (byte: number) => `\\x${byte.toString(16).toUpperCase()}`

/** The bytes of the character at a position, 0 if they are not valid (the Unicode standard, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0x80) return 1
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  const [from, to] = secondByte[lead] ?? [0x80, 0xbf]
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0
    if (byte < (i === 1 ? from : 0x80) || byte > (i === 1 ? to : 0xbf)) return 0
  }
  return length
}

/** The range of the second byte after the lead bytes that restrict it: no overlong forms, no surrogates, no more than U+10FFFF. */
const secondByte: Record<number, [number, number]> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}
