// Streams large JSON replies in pieces, of which one is in memory at a time.
import { describe, log } from '#core/http/log'
import type { Base64Text } from './base64-stream.ts'

const headers = { 'content-type': 'application/json; charset=utf-8' }

/** A reply with JSON in pieces. */
export const streamJson = (pieces: AsyncGenerator<string>, status = 200) =>
  new Response(toStream(withErrorLog(pieces)), { status, headers })

/** Replaces the empty value of `signature` in the JSON of an object by base64, in pieces. */
export async function* fillSignature(json: string, signature: Base64Text): AsyncGenerator<string> {
  // Matches only the key, since quotes inside JSON strings are escaped.
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
    // The status is already sent, so the reply is cut off.
    log('error', { component: 'signature', route: 'stream', ...describe(error) })
    throw error
  }
}
