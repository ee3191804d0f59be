/** Whether a text is base64 (RFC 4648, section 4), padded, without anything between. */
export const isBase64 = (text: string) =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingOf(text)))

/** How many bytes base64 stands for. */
export const sizeOfBase64 = (text: string) => (text.length / 4) * 3 - paddingOf(text)

const paddingOf = (text: string) => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

/** Characters of a line (RFC 2045, section 6.8), and the bytes that they stand for. */
const line = { characters: 76, bytes: 57 }

/** Lines that are made at once. */
const some = 1_000

/** Base64 in lines, several at once. */
export function* wrapBase64(text: string): Generator<string> {
  const most = some * line.characters
  for (let at = 0; at < text.length; at += most) yield wrap(text.slice(at, at + most))
}

/** Bytes as base64 in lines, several at once. */
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
