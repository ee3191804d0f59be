// Base64 for the MIME parts of a mail: validates it, computes decoded sizes and splits it into the lines of 76 characters that
// MIME requires.

/** Whether a text is padded base64 (RFC 4648, section 4) without line breaks. */
export const isBase64 = (text: string) =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingOf(text)))

/** Size of the data that a base64 text encodes, in bytes. */
export const sizeOfBase64 = (text: string) => (text.length / 4) * 3 - paddingOf(text)

const paddingOf = (text: string) => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

/** Number of characters of a line (RFC 2045, section 6.8), and the number of bytes that they encode. */
const line = { characters: 76, bytes: 57 }

const linesPerChunk = 1_000

/** Splits a base64 text into lines. Yields chunks of `linesPerChunk` lines. */
export function* wrapBase64(text: string): Generator<string> {
  const chunkCharacters = linesPerChunk * line.characters
  for (let at = 0; at < text.length; at += chunkCharacters) yield wrap(text.slice(at, at + chunkCharacters))
}

/** Encodes a stream of bytes as lines of base64. Yields chunks of several lines. */
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
