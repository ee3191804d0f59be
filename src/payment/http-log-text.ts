// Decodes the body of a request for the HTTP log, without losing bytes that are not valid text.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes for the log: UTF-16 if they have its byte order mark, else UTF-8. An invalid byte is escaped as `\\xE0`. */
export function decodeLogText(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be'
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return strictUtf8.decode(bytes)
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
      text += strictUtf8.decode(bytes.subarray(valid, at)) + escapeByte(bytes[at]!)
      valid = at + 1
    }
    at += length || 1
  }
  return text + strictUtf8.decode(bytes.subarray(valid))
}

const escapeByte = (byte: number) => `\\x${byte.toString(16).toUpperCase()}`

/** Length in bytes of the UTF-8 sequence at a position; 0 if it is not well-formed (Unicode Standard, table 3-7). */
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

/** Range of the second byte by lead byte, where it is narrower: excludes overlong forms, surrogates and code points above U+10FFFF. */
const secondByte: Record<number, [number, number]> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}
