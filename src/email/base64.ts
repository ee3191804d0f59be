// Base64 for MIME parts: validates it, computes decoded sizes and splits it into lines of 76 characters.

/** Whether a text is padded base64 (RFC 4648, section 4) without line breaks. */
export const isBase64 = (text: string) =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingOf(text)))

/** Size of the decoded data in bytes. */
export const sizeOfBase64 = (text: string) => (text.length / 4) * 3 - paddingOf(text)

const paddingOf = (text: string) => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

/** Characters of a line (RFC 2045, section 6.8), and the bytes that they encode. */
const line = { characters: 76, bytes: 57 }

const linesPerChunk = 1_000

/** Splits base64 into lines; yields chunks of several lines. */
export function* wrapBase64(text: string): Generator<string> {
  const chunkCharacters = linesPerChunk * line.characters
  for (let at = 0; at < text.length; at += chunkCharacters) yield wrap(text.slice(at, at + chunkCharacters))
}

/** Encodes bytes as base64 in lines; yields chunks of several lines. */
export async function* toBase64Lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % line.bytes)
    if (whole > 0) yield wrap(bytes.toString('base64', 0, whole))
    rest = bytes.subarray(whole)
  }
  if (rest.length > 0) yield wrap(rest.toString('base64'))
}

const wrap = (text: string) => text.replace(/.{1,76}/g, '$&\r\n')
