// Streams large JSON replies of the signature store piece by piece, so that only one piece is in memory at a time.
import { describe, log } from '#core/http/log'
import type { Base64Text } from './base64-stream.ts'

const headers = { 'content-type': 'application/json; charset=utf-8' }

/** Creates a reply whose JSON is sent piece by piece. The next piece is made only when the client has taken the previous one. */
export const streamJson = (pieces: AsyncGenerator<string>, status = 200) =>
  new Response(toStream(withErrorLog(pieces)), { status, headers })

/** Yields the JSON of an object whose `signature` is empty, with the base64 inserted there in pieces. */
export async function* fillSignature(json: string, signature: Base64Text): AsyncGenerator<string> {
  // This text can only be the key: inside a JSON string, the quotes would be escaped.
  const key = '"signature":"'
  const at = json.indexOf(`${key}"`) + key.length
  yield json.slice(0, at)
  if (typeof signature === 'string') yield signature
  else yield* signature
  yield json.slice(at)
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* withErrorLog(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    // The status was sent already. Throwing cuts the reply off, which is the only way to show the client that the reply is incomplete.
    log('error', { component: 'signature', route: 'stream', ...describe(error) })
    throw error
  }
}
