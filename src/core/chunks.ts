// Helpers for lists and bytes that all components share: split an array into batches, and convert between byte arrays
// and streams.

/** Splits an array into arrays of at most `size` items, in order. */
export const chunksOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Concatenates chunks whose total length is `size` bytes. */
export function concat(chunks: Uint8Array[], size: number) {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Reads a stream to its end. */
export const bytesOf = async (stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

/** A stream that yields these bytes. */
export const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream => new Response(bytes).body!
