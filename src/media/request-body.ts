// Discards the rest of a request body, because a reply before its end would reset the connection.
const maxDrainedBytes = 1_000_000

/** The part of a stream reader that this component uses. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/** Discards up to a megabyte of a body, then cancels it: a reply before the end of the body would reset the connection. */
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
