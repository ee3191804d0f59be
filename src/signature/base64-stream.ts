/** Base64 as a whole, or in pieces where it is large. */
export type Base64 = string | AsyncIterable<string>

/** Bytes of a piece; of three bytes base64 makes four characters. */
const pieceSize = 300_000

/** Bytes as base64 in pieces. */
export async function* base64Of(bytes: Uint8Array): AsyncGenerator<string> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize).toBase64()
}

/** The bytes of a stream as base64 in pieces. */
export async function* base64In(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array()
  for await (const chunk of stream) {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.subarray(0, whole).toBase64()
    rest = bytes.slice(whole)
  }
  yield rest.toBase64()
}

/** Base64 as a whole. */
export const whole = async (base64: Base64): Promise<string> =>
  typeof base64 === 'string' ? base64 : (await Array.fromAsync(base64)).join('')
