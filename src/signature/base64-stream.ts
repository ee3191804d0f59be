// Encodes signed data as base64 in pieces, so that large signed data is never in memory as one string.

/** Base64 text; for large data an iterator of its pieces, which are base64 texts too. */
export type Base64Text = string | AsyncIterable<string>

/**
 * Number of bytes that are encoded at a time. Divisible by 3: base64 encodes three bytes as four characters, so the pieces can be
 * joined without padding.
 */
const bytesPerPiece = 300_000

/** Encodes bytes in memory as base64, piece by piece. */
export async function* encodeBase64(bytes: Uint8Array): AsyncGenerator<string> {
  for (let at = 0; at < bytes.length; at += bytesPerPiece) yield bytes.subarray(at, at + bytesPerPiece).toBase64()
}

/** Encodes a stream as base64, piece by piece. */
export async function* streamBase64(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array()
  for await (const chunk of stream) {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    const encodable = bytes.length - (bytes.length % 3)
    yield bytes.subarray(0, encodable).toBase64()
    rest = bytes.slice(encodable)
  }
  yield rest.toBase64()
}

/** Joins the pieces of a base64 text. */
export const joinBase64 = async (base64: Base64Text): Promise<string> =>
  typeof base64 === 'string' ? base64 : (await Array.fromAsync(base64)).join('')
