// Reads and discards the rest of a rejected upload. A reply before the end of the request body would reset the connection, and the
// client would not see the error.
const maxDrainedBytes = 1_000_000

/** The methods of a stream reader that this component uses, so that a reader with larger reads can replace the usual one. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/**
 * Reads and discards up to a megabyte of a body, then cancels the reader: an error reply is then sent even if much more would
 * follow.
 */
export async function drain(reader: ChunkReader): Promise<void> {
  let size = 0
  while (size <= maxDrainedBytes) {
    const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }))
    if (done) return
    size += value.length
  }
  await reader.cancel().catch(() => undefined)
}

/** Discards a body as `drain` does, unless another reader has locked it. */
export const drainBody = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  if (body && !body.locked) await drain(body.getReader())
}
