const most = 1_000_000

/** What a body is read by. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/** Reads on for a megabyte, and keeps none of it: a reply to a client that is still sending would reset the connection. */
export async function drain(reader: ChunkReader): Promise<void> {
  let size = 0
  while (size <= most) {
    const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }))
    if (done) return
    size += value.length
  }
  await reader.cancel().catch(() => undefined)
}

/** The same with a body, unless somebody else reads it. */
export const skip = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  if (body && !body.locked) await drain(body.getReader())
}
