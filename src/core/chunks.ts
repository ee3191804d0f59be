/** Items in their order, in arrays of at most `size`. */
export const chunksOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Chunks of `size` bytes together as one. */
export function concat(chunks: Uint8Array[], size: number) {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** All bytes of a stream. */
export const bytesOf = async (stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

/** A stream of some bytes. */
export const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream => new Response(bytes).body!
